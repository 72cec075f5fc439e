import { queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'
import { type Tagged, taggedOf } from '../api/tagged.ts'

/** A route of the gateway. */
export type GatewayRoute = components['schemas']['Route']

/** A route as it is sent. */
export type RouteToSend = components['schemas']['RouteToCreate']

/** The most that the gateway lists at once. */
const limit = 1000

/** Routes by name. */
export const routesQuery = queryOptions({
  queryKey: ['routes'],
  queryFn: () => dataOf(gateway.GET('/manage/routes', { params: { query: { limit } } })),
})

/** The health of the targets, by the names of the routes. It changes by itself. */
export const healthQuery = queryOptions({
  queryKey: ['routes', 'health'],
  queryFn: () => dataOf(gateway.GET('/manage/route-health', { params: { query: { limit } } })),
  refetchInterval: 5000,
})

/** The key under which single routes are kept. */
export const oneRouteKey = ['routes', 'one'] as const

/** One route. */
export function routeQuery(name: string) {
  return queryOptions({
    queryKey: [...oneRouteKey, name],
    queryFn: async () => (await readRoute(name)).value,
  })
}

/** One route as it is stored now. */
export function readRoute(name: string): Promise<Tagged<GatewayRoute>> {
  return taggedOf(gateway.GET('/manage/routes/{name}', { params: { path: { name } } }))
}

/** The path of a route in the management API. */
export function routeCallPath(name: string): string {
  return `/manage/routes/${encodeURIComponent(name)}`
}

/** The addresses of a route's upstream API; none for an API of the gateway itself. */
export function targetsOf({ target = [] }: Pick<GatewayRoute, 'target'>): readonly string[] {
  return typeof target === 'string' ? [target] : target
}
