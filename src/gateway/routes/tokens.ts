import type { TokenManagement } from '../../access/manage-tokens.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'

/** `/manage/tokens`. */
export function tokenRoutes({ tokens }: { readonly tokens: TokenManagement }): readonly Route[] {
  return [
    {
      path: '/manage/tokens',
      methods: {
        POST: async (request, reply) =>
          reply.status(201).send(await tokens.start(request.body, actorOf(request))),
        GET: (request) => tokens.list(request.query),
        DELETE: (request) => tokens.end(request.query, actorOf(request)),
      },
    },
  ]
}
