/**
 * API routes: the scope of published paths and, with a target, the upstream API that answers there. A path is written as it is after decoding; `:name` in it is
 * one segment that is not empty, and `/*` at its end is any rest below it, however deep (`/files/*` is
 * `/files/` and `/files/a/b`, but not `/files`). Nothing else in a path is a pattern.
 *
 * Of several routes that match a request, the most specific one decides: from the left, a literal segment is more
 * specific than `:name`, and `:name` more than `/*`. Of two equally specific ones, the protected one decides, and then
 * the first by name. A public route never reaches `/manage`.
 *
 * The gateway's own APIs at a path come before every upstream, and a route with a target says nothing about it.
 * Elsewhere, of the routes with a target that match, the one that says most answers; which scope holds there may be said
 * by one without a target that says more.
 */
import * as v from 'valibot'
import { oneOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { nameSchema } from '../name.ts'
import { includesMethod, methodsSchema } from './method.ts'
import type { PathPart } from './path-automaton.ts'
import {
  defaultTimeout,
  mistakeInPrefix,
  type UpstreamSettingsDocument,
  upstreamEntries,
} from './upstream-settings.ts'

/** A route as it is written and shown. Without a target it applies to the gateway's own APIs. */
export interface ApiRoute extends UpstreamSettingsDocument {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
}

/** Every route, ready to decide. */
export interface ApiRoutes {
  /** In no special order. */
  readonly all: readonly ApiRoute[]
  /** The decision for a request. `isOwn`: the gateway itself has an API at the path. */
  decide(method: string, path: string, isOwn: boolean): RouteDecision
  /** Whether anyone may call the gateway's own API on some path one segment below `path`. */
  isPublicBelow(method: string, path: string): boolean
}

/** The decision of the API routes about one request. */
export interface RouteDecision {
  readonly scope: ApiRoute['scope']
  /** The route whose upstream handles it; undefined if there is none. */
  readonly upstreamRoute: ApiRoute | undefined
  /** If upstreams handle this path, but not this method: the methods that they handle. */
  readonly otherMethods: readonly string[]
}

const pathLimit = 1000

const fields = {
  path: v.pipe(
    v.string(),
    refuse(mistakeIn),
    v.metadata({
      description: 'A decoded path; `:name` is one segment, a final `/*` any rest below.',
      examples: ['/shop/*'],
      maxLength: pathLimit,
    }),
  ),
  methods: methodsSchema,
  scope: v.optional(oneOf(['public', 'protected']), 'protected'),
  ...upstreamEntries,
}

/** Reads a new route. */
export const apiRouteSchema = v.pipe(
  strictObject({ name: nameSchema, ...fields }),
  refuse(publicManagement, 'path'),
  refuse(needsTarget('prefix'), 'prefix'),
  refuse(needsTarget('timeout'), 'timeout'),
  refuse(needsTarget('health'), 'health'),
  refuse(needsTarget('headers'), 'headers'),
  refuse(needsTarget('rewrite'), 'rewrite'),
  refuse(wrongPrefix, 'prefix'),
  v.transform(withDefaults),
)

/** Reads a route whose name is in the path. */
export const apiRouteToPutSchema = v.pipe(
  strictObject({ name: v.optional(nameSchema), ...fields }),
  refuse(publicManagement, 'path'),
  refuse(needsTarget('prefix'), 'prefix'),
  refuse(needsTarget('timeout'), 'timeout'),
  refuse(needsTarget('health'), 'health'),
  refuse(needsTarget('headers'), 'headers'),
  refuse(needsTarget('rewrite'), 'rewrite'),
  refuse(wrongPrefix, 'prefix'),
  v.transform(withDefaults),
)

/** Compiles all routes together. */
export function compileApiRoutes(routes: readonly ApiRoute[]): ApiRoutes {
  const compiled = routes
    .map((route) => ({ route, pattern: segmentsOf(route.path) }))
    .sort(
      (a, b) =>
        compareDetail(a.pattern, b.pattern) ||
        compareScope(a.route, b.route) ||
        compareNames(a.route, b.route),
    )
  return {
    all: routes,
    decide(method, path, isOwn) {
      if (compiled.length === 0) return { scope: 'protected', upstreamRoute: undefined, otherMethods: [] }
      const segments = path.slice(1).split('/')
      const here = compiled
        .filter(({ route, pattern }) => !(isOwn && leadsElsewhere(route)) && matches(pattern, segments))
        .map(({ route }) => route)
      const forMethod = here.filter((route) => includesMethod(route.methods, method))
      const upstreamRoute = forMethod.find(leadsElsewhere)
      const others = upstreamRoute === undefined ? here.filter(leadsElsewhere) : []
      return {
        scope: forMethod[0]?.scope ?? 'protected',
        upstreamRoute,
        otherMethods: [...new Set(others.flatMap(({ methods }) => withHead(methods)))],
      }
    },
    isPublicBelow(method, path) {
      const segments = path.slice(1).split('/')
      // In order of specificity, with the segment that each takes there; undefined for any.
      const below = compiled
        .filter(
          ({ route, pattern }) =>
            !leadsElsewhere(route) &&
            includesMethod(route.methods, method) &&
            matchesBelow(pattern, segments),
        )
        .map(({ route, pattern }) => ({ scope: route.scope, segment: literalAt(pattern, segments.length) }))
      const decided = new Set<string>()
      for (const { scope, segment } of below) {
        // What follows does not constrain further segments.
        if (segment === undefined) return scope === 'public'
        if (scope === 'public' && !decided.has(segment)) return true
        decided.add(segment)
      }
      return false
    },
  }
}

/** Whether a pattern matches a path of these segments and one more. */
function matchesBelow(pattern: readonly string[], segments: readonly string[]): boolean {
  return matches(pattern, [...segments, literalAt(pattern, segments.length) ?? 'a'])
}

/** The segment of a pattern at an index; undefined for any. */
function literalAt(pattern: readonly string[], place: number): string | undefined {
  const part = pattern[Math.min(place, pattern.length - 1)] ?? ''
  return part === '*' || part.startsWith(':') ? undefined : part
}

/** Whether a route covers a decoded path, for some method. */
export function coversPath({ path: pattern }: ApiRoute, path: string): boolean {
  return matches(segmentsOf(pattern), segmentsOf(path))
}

/** The paths of a route as parts. */
export function pathParts(path: string): readonly PathPart[] {
  const segments = segmentsOf(path)
  const hasRest = segments.at(-1) === '*'
  return segments.flatMap((part, index): readonly PathPart[] => {
    if (hasRest && index === segments.length - 1) return ['/', { any: 'rest' }]
    return part.startsWith(':') ? ['/', { any: 'segment' }] : [`/${part}`]
  })
}

/** The paths of a route as the regular expression of an authority. */
export function pathRegex(path: string): string {
  const parts = segmentsOf(path).map((part, index, { length }) => {
    if (part === '*' && index === length - 1) return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return `/${parts.join('/')}`
}

/** Whether two routes may match one path. */
export function overlap(path: string, other: string): boolean {
  const [some, others] = [segmentsOf(path), segmentsOf(other)]
  const shared = Math.min(some.length, others.length)
  for (let index = 0; index < shared; index += 1) {
    const [part = '', another = ''] = [some[index], others[index]]
    if (part === '*' || another === '*') return true
    if (part !== another && !part.startsWith(':') && !another.startsWith(':')) return false
  }
  return some.length === others.length
}

/** Whether an upstream API is behind a route. */
export function leadsElsewhere({ target }: ApiRoute): boolean {
  return target !== undefined
}

function withHead(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

function mistakeIn(path: string): string | undefined {
  if (!path.startsWith('/')) return 'A path starts with a slash.'
  if (path.length > pathLimit) return `A path has at most ${pathLimit} characters.`
  if (!path.isWellFormed() || /[\p{Cc}\\?#%]/u.test(path)) {
    return 'A path is written decoded and without query: it holds no control character, backslash, "?", "#" or "%".'
  }
  const segments = segmentsOf(path)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '' && !isLast) return 'A path must not hold an empty segment.'
    if (/^\.{1,2}(;|$)/.test(segment)) return 'A path must not hold a dot segment.'
    if (segment.includes('*') && !(segment === '*' && isLast)) {
      return 'A "*" may only be the whole last segment, as in /files/*.'
    }
    if (segment.startsWith(':') && !/^:[A-Za-z_]\w*$/.test(segment)) {
      return 'A ":" starts the name of a variable segment, as in /ports/:id.'
    }
  }
  return undefined
}

function publicManagement({ path, scope }: Pick<ApiRoute, 'path' | 'scope'>): string | undefined {
  const isRefusedAlready = mistakeIn(path) !== undefined
  return scope === 'public' && !isRefusedAlready && reachesManagement(segmentsOf(path))
    ? 'A public route must not reach /manage, where roles and accounts are changed. Name the published paths, as in /apis/*.'
    : undefined
}

function needsTarget(key: 'prefix' | 'timeout' | 'health' | 'headers' | 'rewrite') {
  return (route: UpstreamSettingsDocument): string | undefined =>
    route.target === undefined && route[key] !== undefined ? `"${key}" needs a "target".` : undefined
}

function wrongPrefix({
  path,
  target,
  prefix,
}: Pick<ApiRoute, 'path' | 'target' | 'prefix'>): string | undefined {
  if (target === undefined || prefix === undefined) return undefined
  return mistakeInPrefix(prefix, path)
}

/** Adds the default time-outs of a route with a target, and omits undefined members. */
function withDefaults<Route extends UpstreamSettingsDocument>(route: Route): Route {
  const { target, timeout = target === undefined ? undefined : defaultTimeout } = route
  const complete = { ...route, timeout }
  return Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== undefined)) as Route
}

function reachesManagement([first = '', ...rest]: readonly string[]): boolean {
  if (first === 'manage' || first === '*') return true
  return first.startsWith(':') && rest.length > 0 && rest.at(0) !== ''
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/')
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => {
    if (part === '*') return true
    return part.startsWith(':') ? segments[index] !== '' : part === segments[index]
  })
}

/** Negative if the first is more specific. */
function compareDetail(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) break
    const difference = vagueness(part) - vagueness(other)
    if (difference !== 0) return difference
  }
  return b.length - a.length
}

function vagueness(part: string): number {
  if (part === '*') return 2
  return part.startsWith(':') ? 1 : 0
}

function compareScope(a: ApiRoute, b: ApiRoute): number {
  return Number(a.scope === 'public') - Number(b.scope === 'public')
}

function compareNames(a: ApiRoute, b: ApiRoute): number {
  return a.name < b.name ? -1 : 1
}
