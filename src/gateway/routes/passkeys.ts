import type { FastifyRequest } from 'fastify'
import type { Access } from '../../access/access.ts'
import type { OwnActor } from '../../access/administration/own-change-limit.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { parameterOf } from './record-request.ts'

/** What a page asks for before a person logs on with a passkey. */
const passkeyLogonPath = '/logon/passkey'

/** Passkeys: logging on with one, those of the caller, and those of any account. */
export function passkeyRoutes(
  { passkeys, passkeyLogonOptions }: Pick<Access, 'passkeys' | 'passkeyLogonOptions'>,
  ownActorOf: (request: FastifyRequest) => Promise<OwnActor>,
): readonly Route[] {
  return [
    { path: passkeyLogonPath, access: 'open', methods: { GET: () => passkeyLogonOptions() } },
    {
      path: '/whoami/passkeys',
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: async (request) => passkeys.listOwn(await ownActorOf(request)),
        async POST(request, reply) {
          const actor = await ownActorOf(request)
          return reply.status(201).send(await passkeys.register(request.body, actor))
        },
      },
    },
    {
      path: '/whoami/passkeys/options',
      access: 'open',
      bodySize: 'form',
      methods: { POST: async (request) => passkeys.begin(request.body, await ownActorOf(request)) },
    },
    {
      path: '/whoami/passkeys/:id',
      access: 'open',
      bodySize: 'form',
      methods: {
        async PATCH(request) {
          const actor = await ownActorOf(request)
          return passkeys.rename(parameterOf(request, 'id'), request.body, actor)
        },
        async DELETE(request, reply) {
          const actor = await ownActorOf(request)
          await passkeys.removeOwn(parameterOf(request, 'id'), request.body, actor)
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/manage/accounts/:username/passkeys',
      methods: { GET: (request) => passkeys.list(parameterOf(request, 'username')) },
    },
    {
      path: '/manage/accounts/:username/passkeys/:id',
      methods: {
        async DELETE(request, reply) {
          const username = parameterOf(request, 'username')
          await passkeys.remove(username, parameterOf(request, 'id'), actorOf(request))
          return reply.status(204).send()
        },
      },
    },
  ]
}
