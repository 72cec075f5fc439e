/** `/manage/names`: chosen names in GraphQL. */
import type { Route } from '../../http/routes.ts'
import type { NameManagement } from '../choose-names.ts'
import { actorOf } from '../protect.ts'
import { sendListPage } from './record-request.ts'

export function nameRoutes({
  names,
  baseUrl,
}: {
  readonly names: NameManagement
  readonly baseUrl: string
}): readonly Route[] {
  return [
    {
      path: '/manage/names',
      methods: {
        GET: async (request, reply) => sendListPage(request, reply, await names.list(request.query), baseUrl),
        PUT: (request) => names.choose(request.body, actorOf(request)),
        async DELETE(request, reply) {
          await names.release(request.query, actorOf(request))
          return reply.status(204).send()
        },
      },
    },
  ]
}
