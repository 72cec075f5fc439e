import type { FastifyRequest } from 'fastify'
import type { Access } from '../../access/access.ts'
import type { OwnActor } from '../../access/administration/own-change-limit.ts'
import { clientAddressOf } from '../../http/client-address.ts'
import type { Route } from '../../http/routes.ts'

/** Reads who acts on the own account. */
export function ownActorReader({ authenticateAccount }: Pick<Access, 'authenticateAccount'>) {
  return async (request: FastifyRequest): Promise<OwnActor> => {
    const { username: account, roles: rights, tokenHash } = await authenticateAccount(request.headers)
    return { account, rights, tokenHash, address: clientAddressOf(request), requestId: request.id }
  }
}

/** `/whoami/…`: what the owner of a token may change of the own account, whatever the role allows. */
export function ownAccountRoutes({
  access,
}: {
  readonly access: Pick<Access, 'authenticateAccount' | 'ownAccount' | 'secondFactor'>
}): readonly Route[] {
  const { ownAccount, secondFactor } = access
  const actorOf = ownActorReader(access)

  return [
    {
      path: '/whoami/password',
      access: 'open',
      bodySize: 'form',
      methods: {
        async PATCH(request, reply) {
          const actor = await actorOf(request)
          await ownAccount.changePassword(request.body, actor)
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/whoami/api-keys',
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: async (request) => ownAccount.listKeys(await actorOf(request)),
        async POST(request, reply) {
          const actor = await actorOf(request)
          return reply.status(201).send(await ownAccount.createKey(request.body, actor))
        },
        async DELETE(request, reply) {
          const actor = await actorOf(request)
          await ownAccount.removeKey(request.body, actor)
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/whoami/second-factor',
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: async (request) => secondFactor.find(await actorOf(request)),
        async POST(request, reply) {
          const actor = await actorOf(request)
          return reply.status(201).send(await secondFactor.setUp(request.body, actor))
        },
        PATCH: async (request) => secondFactor.activate(request.body, await actorOf(request)),
        async DELETE(request, reply) {
          const actor = await actorOf(request)
          await secondFactor.turnOff(request.body, actor)
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/whoami/second-factor/recovery-codes',
      access: 'open',
      bodySize: 'form',
      methods: {
        async POST(request, reply) {
          const actor = await actorOf(request)
          return reply.status(201).send(await secondFactor.renewRecoveryCodes(request.body, actor))
        },
      },
    },
    {
      path: '/whoami/tokens',
      access: 'open',
      bodySize: 'form',
      methods: { DELETE: async (request) => ownAccount.endTokens(request.query, await actorOf(request)) },
    },
  ]
}
