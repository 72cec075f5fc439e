/**
 * All API routes together. Of several that match a request, the most specific one decides: from the left, a literal segment
 * is more specific than `:name`, and `:name` more than `/*`. Of equally specific ones, a protected one decides before a
 * public one with conditions on records, this before one without, and then the first by name.
 *
 * The gateway's own APIs at a path come before every upstream, and a route with a target says nothing about it.
 * Elsewhere, of the routes with a target that match, the one that says most answers; which scope holds there may be said
 * by one without a target that says more.
 */
import type { ApiRoute } from './api-route.ts'
import { isRecordPath } from './authorize.ts'
import { includesMethod } from './method.ts'
import type { PublicAuthority } from './public-authority.ts'
import { type OpenParts, PublicParts } from './public-parts.ts'
import { conditionsOf } from './record-conditions.ts'
import { compareDetail, literalAt, matches, matchesBelow, segmentsOf } from './route-path.ts'

/** Every route, ready to decide. */
export interface ApiRoutes extends PublicRoutes {
  /** In no special order. */
  readonly all: readonly ApiRoute[]
  /** The decision for a request. `isOwn`: the gateway itself has an API at the path. */
  decide(method: string, path: string, isOwn: boolean): RouteDecision
}

/** What public routes open of the gateway's own APIs. */
export interface PublicRoutes {
  /** Those that decide about the gateway's own APIs, public or not, in the order in which they do. */
  readonly deciding: readonly ApiRoute[]
  /** Whether one of them has conditions on records. */
  readonly haveConditions: boolean
  /** What anyone may do by a method on a path; undefined for nothing. */
  opensAt(method: string, path: string): PublicAuthority | undefined
  /** The same for all paths one segment below one. */
  opensBelow(method: string, path: string): readonly PublicAuthority[]
  /** What opens one part of a path to anyone. */
  opensPart(path: string, name: string): PublicAuthority | undefined
  /** The open ones of some parts of a path. `names` is the same list as long as the parts do not change. */
  openParts(path: string, names: readonly string[]): OpenParts
}

/** The decision of the API routes about one request. */
export interface RouteDecision {
  /** What anyone may do there; undefined if a right is needed. */
  readonly opens: PublicAuthority | undefined
  /** The route whose upstream handles it; undefined if there is none. */
  readonly upstreamRoute: ApiRoute | undefined
  /** If upstreams handle this path, but not this method: the methods that they handle. */
  readonly otherMethods: readonly string[]
}

const nothing: RouteDecision = { opens: undefined, upstreamRoute: undefined, otherMethods: [] }

/** Compiles all routes together. */
export function compileApiRoutes(routes: readonly ApiRoute[]): ApiRoutes {
  const compiled = routes.map(compileRoute).sort(compareRoutes)
  const own = compiled.filter(({ leadsElsewhere }) => !leadsElsewhere)
  const parts = new PublicParts(own)
  const decide = (method: string, path: string, isOwn: boolean): RouteDecision => {
    if (compiled.length === 0) return nothing
    const segments = segmentsOf(path)
    const here = (isOwn ? own : compiled).filter(({ pattern }) => matches(pattern, segments))
    const forMethod = here.filter(({ route }) => includesMethod(route.methods, method))
    const upstream = forMethod.find(({ leadsElsewhere }) => leadsElsewhere)
    const others = upstream === undefined ? here.filter(({ leadsElsewhere }) => leadsElsewhere) : []
    return {
      opens: openedBy(forMethod[0], isOwn && isRecordPath(path)),
      upstreamRoute: upstream?.route,
      otherMethods: [...new Set(others.flatMap(({ route }) => withHead(route.methods)))],
    }
  }
  return {
    all: routes,
    deciding: own.map(({ route }) => route),
    haveConditions: own.some(({ opens }) => opens?.conditions !== undefined),
    decide,
    opensAt: (method, path) => decide(method, path, true).opens,
    opensPart: (path, name) => parts.openAt(path, name),
    openParts: (path, names) => parts.openOf(path, names),
    opensBelow(method, path) {
      const segments = segmentsOf(path)
      const isForRecords = isRecordPath(`${path}/`)
      const found: PublicAuthority[] = []
      const decided = new Set<string>()
      // In order of specificity: what follows a route for any segment decides about none.
      for (const one of own) {
        const { route, pattern } = one
        if (!includesMethod(route.methods, method) || !matchesBelow(pattern, segments)) continue
        const segment = literalAt(pattern, segments.length)
        const opened = openedBy(one, isForRecords)
        if (opened !== undefined && (segment === undefined || !decided.has(segment))) found.push(opened)
        if (segment === undefined) break
        decided.add(segment)
      }
      return found
    },
  }
}

interface CompiledRoute {
  readonly route: ApiRoute
  readonly pattern: readonly string[]
  readonly leadsElsewhere: boolean
  /** Undefined for a protected route. */
  readonly opens: PublicAuthority | undefined
}

function compileRoute(route: ApiRoute): CompiledRoute {
  const { path, scope, target } = route
  const opens = scope === 'public' ? { route, conditions: conditionsOf(route) } : undefined
  return { route, pattern: segmentsOf(path), leadsElsewhere: target !== undefined, opens }
}

/** With conditions it opens nothing but records. */
function openedBy(route: CompiledRoute | undefined, isForRecords: boolean): PublicAuthority | undefined {
  const opens = route?.opens
  return opens?.conditions === undefined || isForRecords ? opens : undefined
}

function withHead(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

/** Negative if the first decides before the second. */
function compareRoutes(a: CompiledRoute, b: CompiledRoute): number {
  return (
    compareDetail(a.pattern, b.pattern) || openness(a) - openness(b) || (a.route.name < b.route.name ? -1 : 1)
  )
}

function openness({ opens }: CompiledRoute): number {
  if (opens === undefined) return 0
  return opens.conditions === undefined ? 2 : 1
}
