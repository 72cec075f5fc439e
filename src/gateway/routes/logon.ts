import type { Access } from '../../access/access.ts'
import { clientAddressOf } from '../../http/client-address.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'

/**
 * `/logon`, `/logoff` and `/whoami`. The last two need only a valid token: its owner may end it and see its data,
 * whatever the role allows. `/manage/logon-checks` is for services whose role allows it.
 */
export function logonRoutes({
  access,
}: {
  readonly access: Pick<
    Access,
    'logon' | 'checkLogon' | 'logoff' | 'authenticate' | 'authenticateAccount' | 'describeCaller'
  >
}): readonly Route[] {
  return [
    {
      path: '/logon',
      access: 'open',
      bodySize: 'form',
      methods: {
        POST: (request) =>
          access.logon({
            apiKey: request.headers['x-xaas-api-key'],
            document: request.body,
            address: clientAddressOf(request),
            requestId: request.id,
          }),
      },
    },
    {
      path: '/manage/logon-checks',
      methods: {
        POST: (request) => access.checkLogon({ document: request.body, actor: actorOf(request) }),
      },
    },
    {
      path: '/logoff',
      access: 'open',
      bodySize: 'form',
      methods: {
        async POST({ headers }, reply) {
          await access.logoff(await access.authenticateAccount(headers))
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/whoami',
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: async ({ headers }) => access.describeCaller(await access.authenticate(headers)),
      },
    },
  ]
}
