import type { AccountManagement } from '../../access/administration/manage-accounts.ts'
import type { ApiKeyManagement } from '../../access/administration/manage-api-keys.ts'
import type { SecondFactorManagement } from '../../access/administration/manage-second-factor.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'
import { preconditionIn, sendTagged, withTag } from './record-tag.ts'

/** `/manage/accounts`. */
export function accountRoutes({
  accounts,
  apiKeys,
  secondFactor,
  baseUrl = '',
}: {
  readonly accounts: AccountManagement
  readonly apiKeys: ApiKeyManagement
  readonly secondFactor: Pick<SecondFactorManagement, 'remove'>
  readonly baseUrl?: string
}): readonly Route[] {
  const location = (username: string) => `${baseUrl}/manage/accounts/${encodeURIComponent(username)}`
  return [
    {
      path: '/manage/accounts',
      methods: {
        GET: async (request, reply) =>
          sendListPage(request, reply, await accounts.list(request.query), baseUrl),
        async POST(request, reply) {
          const created = await accounts.create(request.body, actorOf(request))
          const { api_key: _shownOnce, ...account } = created
          return createdAt(withTag(reply, account), location(account.username), created)
        },
      },
    },
    {
      path: '/manage/accounts/:username',
      methods: {
        GET: async (request, reply) =>
          sendTagged(request, reply, await accounts.find(parameterOf(request, 'username'))),
        async PATCH(request, reply) {
          const username = parameterOf(request, 'username')
          const precondition = preconditionIn(request)
          const account = await accounts.change(username, request.body, actorOf(request), precondition)
          withTag(reply, account)
          return account
        },
        async DELETE(request, reply) {
          const username = parameterOf(request, 'username')
          await accounts.remove(username, actorOf(request), preconditionIn(request))
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/manage/accounts/:username/api-key',
      body: 'unused',
      methods: {
        async POST(request, reply) {
          const renewed = await apiKeys.renew(parameterOf(request, 'username'), actorOf(request))
          return reply.status(201).send(renewed)
        },
      },
    },
    {
      path: '/manage/accounts/:username/second-factor',
      methods: {
        async DELETE(request, reply) {
          await secondFactor.remove(parameterOf(request, 'username'), actorOf(request))
          return reply.status(204).send()
        },
      },
    },
    {
      path: '/manage/accounts/:username/api-keys',
      methods: {
        GET: (request) => apiKeys.list(parameterOf(request, 'username')),
        async POST(request, reply) {
          const username = parameterOf(request, 'username')
          const key = await apiKeys.create(username, request.body, actorOf(request))
          const path = `/api-keys/${encodeURIComponent(key.name)}`
          return createdAt(reply, location(username) + path, key)
        },
      },
    },
    {
      path: '/manage/accounts/:username/api-keys/:name',
      methods: {
        GET: (request) => apiKeys.find(parameterOf(request, 'username'), parameterOf(request, 'name')),
        async DELETE(request, reply) {
          const username = parameterOf(request, 'username')
          await apiKeys.remove(username, parameterOf(request, 'name'), actorOf(request))
          return reply.status(204).send()
        },
      },
    },
  ]
}
