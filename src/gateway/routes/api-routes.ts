import type { ApiRouteManagement } from '../../access/administration/manage-api-routes.ts'
import type { ApiRoute } from '../../access/authorization/api-route.ts'
import type { Route } from '../../http/routes.ts'
import type { TargetHealth } from '../../proxy/target-pool.ts'
import { actorOf } from '../protect.ts'
import type { Upstreams } from '../upstreams.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'
import { preconditionIn, sendTagged, withTag } from './record-tag.ts'

/** `/manage/routes`, and the health of their targets: `/manage/route-health`. */
export function apiRouteRoutes({
  apiRoutes,
  healthOf,
  baseUrl = '',
}: {
  readonly apiRoutes: ApiRouteManagement
  readonly healthOf: Upstreams['healthOf']
  readonly baseUrl?: string
}): readonly Route[] {
  /** The route as it was written, with warnings. */
  async function shown(route: ApiRoute): Promise<ApiRoute & { readonly warnings?: readonly string[] }> {
    const warnings = await apiRoutes.warningsOf(route)
    return warnings.length === 0 ? route : { ...route, warnings }
  }
  const location = (name: string) => `${baseUrl}/manage/routes/${encodeURIComponent(name)}`
  const health = (route: ApiRoute) => ({
    name: route.name,
    checked: route.health !== undefined,
    targets: healthOf(route).map(shownTarget),
  })
  return [
    {
      path: '/manage/route-health',
      methods: {
        async GET(request, reply) {
          const page = await apiRoutes.list(request.query)
          const items = page.items.filter(({ target }) => target !== undefined).map(health)
          return sendListPage(request, reply, { ...page, items }, baseUrl)
        },
      },
    },
    {
      path: '/manage/routes/:name/health',
      methods: { GET: async (request) => health(await apiRoutes.find(parameterOf(request, 'name'))) },
    },
    {
      path: '/manage/routes',
      methods: {
        GET: async (request, reply) =>
          sendListPage(request, reply, await apiRoutes.list(request.query), baseUrl),
        async POST(request, reply) {
          const route = await apiRoutes.create(request.body, actorOf(request))
          return createdAt(withTag(reply, route), location(route.name), await shown(route))
        },
      },
    },
    {
      path: '/manage/routes/:name',
      methods: {
        GET: async (request, reply) =>
          sendTagged(request, reply, await apiRoutes.find(parameterOf(request, 'name'))),
        async PUT(request, reply) {
          const name = parameterOf(request, 'name')
          const precondition = preconditionIn(request)
          const { route, created } = await apiRoutes.put(name, request.body, actorOf(request), precondition)
          const answer = await shown(route)
          withTag(reply, route)
          return created ? createdAt(reply, location(route.name), answer) : answer
        },
        async DELETE(request, reply) {
          const name = parameterOf(request, 'name')
          await apiRoutes.remove(name, actorOf(request), preconditionIn(request))
          return reply.status(204).send()
        },
      },
    },
  ]
}

function shownTarget({ target, state, since, failure }: TargetHealth) {
  return {
    target: target.origin + target.basePath,
    state,
    since: timeText(since),
    failure: failure === undefined ? null : { reason: failure.reason, at: timeText(failure.at) },
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('Z', '+00:00')
}
