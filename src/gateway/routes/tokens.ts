import type { TokenManagement } from '../../access/administration/manage-tokens.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { sendListPage } from './record-request.ts'

/** `/manage/tokens`. */
export function tokenRoutes({
  tokens,
  baseUrl = '',
}: {
  readonly tokens: TokenManagement
  readonly baseUrl?: string
}): readonly Route[] {
  return [
    {
      path: '/manage/tokens',
      methods: {
        POST: async (request, reply) =>
          reply.status(201).send(await tokens.start(request.body, actorOf(request))),
        GET: async (request, reply) =>
          sendListPage(request, reply, await tokens.list(request.query), baseUrl),
        DELETE: (request) => tokens.end(request.query, actorOf(request)),
      },
    },
  ]
}
