/**
 * API routes: the scope of published paths. A path is written as it is after decoding; `:name` in it is
 * one segment that is not empty, and `/*` at its end is any rest below it, however deep (`/files/*` is
 * `/files/` and `/files/a/b`, but not `/files`). Nothing else in a path is a pattern.
 *
 * Of several routes that match a request, the one whose path says most decides: from the left, a literal
 * segment says more than `:name`, and `:name` more than the rest. Of two that say the same, the protected
 * one decides. A public route never reaches `/manage`.
 */
import * as v from 'valibot'
import { oneOf, refuse, strictObject } from '../http/document-schema.ts'
import { includesMethod, methodsSchema } from './method.ts'
import { nameSchema } from './name.ts'

/** A route as it is written and shown. */
export interface ApiRoute {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
}

/** Every route, ready to decide. */
export interface ApiRoutes {
  /** The route that decides about a request, if any. */
  find(method: string, path: string): ApiRoute | undefined
}

const fields = {
  path: v.pipe(v.string(), refuse(mistakeIn)),
  methods: methodsSchema,
  scope: v.optional(oneOf(['public', 'protected']), 'protected'),
}

/** Reads a new route. */
export const apiRouteSchema = v.pipe(
  strictObject({ name: nameSchema, ...fields }),
  refuse(publicManagement, 'path'),
)

/** Reads a route whose name is in the path. */
export const apiRouteToPutSchema = v.pipe(
  strictObject({ name: v.optional(nameSchema), ...fields }),
  refuse(publicManagement, 'path'),
)

/** Compiles all routes together. */
export function compileApiRoutes(routes: readonly ApiRoute[]): ApiRoutes {
  const compiled = routes
    .map((route) => ({ route, pattern: segmentsOf(route.path) }))
    .sort((a, b) => compareDetail(a.pattern, b.pattern) || compareScope(a.route, b.route))
  return {
    find(method, path) {
      const segments = path.slice(1).split('/')
      const deciding = compiled.find(
        ({ route, pattern }) => includesMethod(route.methods, method) && matches(pattern, segments),
      )
      return deciding?.route
    },
  }
}

/** Whether authentication and authorization are turned off for a request. */
export function isPublic(routes: ApiRoutes, method: string, path: string): boolean {
  return routes.find(method, path)?.scope === 'public'
}

const pathLimit = 1000

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

/** Negative when the first says more. */
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
