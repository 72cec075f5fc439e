import type { ReachedRoute } from '../../http/reach.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { ApiRoute } from './api-route.ts'
import type { CompiledAuthority } from './authority.ts'
import { includesMethod } from './method.ts'
import type { CompiledRole } from './role.ts'
import { pathParts } from './route-path.ts'

/**
 * The routes to upstream APIs that accounts with these roles may call on some path, by name; `undefined` is a caller without
 * a token. In time slices, since each authority is compared with each route.
 */
export async function reachedRoutes(
  roles: readonly CompiledRole[] | undefined,
  routes: readonly ApiRoute[],
): Promise<readonly ReachedRoute[]> {
  const slices = new TimeSlices()
  // Those with conditions are for records only.
  const authorities = (roles ?? []).flatMap((role) =>
    role.authorities.filter(({ conditions }) => conditions === undefined),
  )
  const found: ReachedRoute[] = []
  for (const route of routes.filter(({ target }) => target !== undefined)) {
    const { name, path, methods } = route
    const reached = await reachedMethods(route, authorities, slices)
    if (reached.size === 0) continue
    const isPublic = route.scope === 'public'
    const own = methods.filter((method) => reached.has(method)).map((method) => ({ method, isPublic }))
    found.push({ name, path, methods: own })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function reachedMethods(
  { path, methods, scope }: ApiRoute,
  authorities: readonly CompiledAuthority[],
  slices: TimeSlices,
): Promise<ReadonlySet<string>> {
  const reached = new Set<string>(scope === 'public' ? methods : [])
  const parts = pathParts(path)
  for (const authority of authorities) {
    if (reached.size === methods.length) break
    if (slices.isOver) await slices.next()
    const more = methods.filter((method) => !reached.has(method) && includesMethod(authority.methods, method))
    if (more.length === 0 || !authority.matches.meets(parts)) continue
    for (const method of more) reached.add(method)
  }
  return reached
}
