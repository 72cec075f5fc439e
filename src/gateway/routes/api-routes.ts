import type { ApiRouteManagement } from '../../access/administration/manage-api-routes.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'

/** `/manage/routes`. */
export function apiRouteRoutes({
  apiRoutes,
  baseUrl = '',
}: {
  readonly apiRoutes: ApiRouteManagement
  readonly baseUrl?: string
}): readonly Route[] {
  const location = (name: string) => `${baseUrl}/manage/routes/${encodeURIComponent(name)}`
  return [
    {
      path: '/manage/routes',
      methods: {
        GET: async (request, reply) =>
          sendListPage(request, reply, await apiRoutes.list(request.query), baseUrl),
        async POST(request, reply) {
          const route = await apiRoutes.create(request.body, actorOf(request))
          return createdAt(reply, location(route.name), route)
        },
      },
    },
    {
      path: '/manage/routes/:name',
      methods: {
        GET: (request) => apiRoutes.find(parameterOf(request, 'name')),
        async PUT(request, reply) {
          const name = parameterOf(request, 'name')
          const { route, created } = await apiRoutes.put(name, request.body, actorOf(request))
          return created ? createdAt(reply, location(route.name), route) : route
        },
        async DELETE(request, reply) {
          await apiRoutes.remove(parameterOf(request, 'name'), actorOf(request))
          return reply.status(204).send()
        },
      },
    },
  ]
}
