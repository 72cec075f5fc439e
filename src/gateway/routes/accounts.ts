import type { AccountManagement } from '../../access/manage-accounts.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { createdAt, parameterOf } from './record-request.ts'

/** `/manage/accounts`. */
export function accountRoutes({
  accounts,
  baseUrl = '',
}: {
  readonly accounts: AccountManagement
  readonly baseUrl?: string
}): readonly Route[] {
  return [
    {
      path: '/manage/accounts',
      methods: {
        GET: () => accounts.list(),
        async POST(request, reply) {
          const account = await accounts.create(request.body, actorOf(request))
          const location = `${baseUrl}/manage/accounts/${encodeURIComponent(account.username)}`
          return createdAt(reply, location, account)
        },
      },
    },
    {
      path: '/manage/accounts/:username',
      methods: {
        GET: (request) => accounts.find(parameterOf(request, 'username')),
        PATCH: (request) => accounts.change(parameterOf(request, 'username'), request.body, actorOf(request)),
        async DELETE(request, reply) {
          await accounts.remove(parameterOf(request, 'username'), actorOf(request))
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/manage/accounts/:username/api-key',
      methods: {
        async POST(request, reply) {
          const renewed = await accounts.renewApiKey(parameterOf(request, 'username'), actorOf(request))
          return reply.status(201).send(renewed)
        },
      },
    },
  ]
}
