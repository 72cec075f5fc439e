import type { Access } from '../../access/access.ts'
import type { Route } from '../../http/routes.ts'

/**
 * `/logon`, `/logoff` and `/whoami`. The last two ask for a valid token and nothing else: whoever has one
 * may end it and look at it, whatever the role allows.
 */
export function logonRoutes({
  access,
}: {
  readonly access: Pick<Access, 'logon' | 'logoff' | 'authenticate' | 'describeCaller'>
}): readonly Route[] {
  return [
    {
      path: '/logon',
      access: 'open',
      methods: {
        POST: ({ headers, body, ip, id }) =>
          access.logon({ apiKey: headers['x-xaas-api-key'], document: body, address: ip, requestId: id }),
      },
    },
    {
      path: '/logoff',
      access: 'open',
      methods: {
        async POST({ headers }, reply) {
          await access.logoff(await access.authenticate(headers))
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/whoami',
      access: 'open',
      methods: {
        GET: async ({ headers }) => access.describeCaller(await access.authenticate(headers)),
      },
    },
  ]
}
