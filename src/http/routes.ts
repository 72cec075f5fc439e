import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { sendError, shortBodyBytes } from './server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess | AccessOfRequest
    parts?: RouteParts | undefined
    alsoNeeds?: NeededRight | undefined
    body?: BodyReading
  }
}

/** `open`: anybody may call it. Otherwise it is protected, whether it says so or not. */
export type RouteAccess = 'open' | 'protected'

/** Decides for each request, of whatever method, before anything else is done for it. */
export type AccessOfRequest = (request: FastifyRequest) => RouteAccess

/** Names of the parts of what a route does that can be allowed one by one; the same list while they are the same. */
export type RouteParts = () => readonly string[]

/** Another call that somebody must be allowed as well to call a path, decoded. */
export type NeededRight = (path: string) => { readonly method: Method; readonly path: string }

/** `bytes`: the handler gets a body as it came, as a Buffer. */
export type BodyReading = 'parsed' | 'bytes'

/** How long a body may be: a `form` 16 kB, a `document` 1 MB, `data` as much as the server takes at all. */
export type BodySize = 'form' | 'document' | 'data'

const bodySizes: Readonly<Record<BodySize, number>> = {
  form: shortBodyBytes,
  document: 1_048_576,
  data: Number.POSITIVE_INFINITY,
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Gives the body of the answer, or sends it by `reply` itself. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** What is at one path: `:name` stands for one segment, a final `*` for any rest. */
export interface Route {
  readonly path: string
  readonly access?: RouteAccess | AccessOfRequest
  readonly parts?: RouteParts
  readonly alsoNeeds?: NeededRight
  /** Whether there is something at a path now, decoded, of those that `path` matches; without it there always is. */
  readonly isThere?: (path: string) => boolean
  readonly body?: BodyReading
  /** Without it, that of a `document`. */
  readonly bodySize?: BodySize
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
}

/** A path that a service answers at, and for which methods. */
export interface ServedPath {
  readonly path: string
  readonly methods: readonly Method[]
}

/** The paths of some routes, in their order. */
export function pathsOf(routes: readonly Route[]): readonly ServedPath[] {
  return routes.map(({ path, methods }) => ({ path, methods: Object.keys(methods) as Method[] }))
}

/**
 * Adds all routes of a service at once. A path that exists answers a method it lacks with 405 and
 * `Allow`; a path that does not, with 404.
 */
export function addRoutes(server: FastifyInstance, routes: readonly Route[]): void {
  for (const {
    path,
    access = 'protected',
    parts,
    alsoNeeds,
    body = 'parsed',
    bodySize = 'document',
    methods,
  } of routes) {
    const bodyLimit = Math.min(bodySizes[bodySize], server.bodyLimitBytes)
    for (const [method, handler] of Object.entries(methods)) {
      server.route({ method, url: path, config: { access, parts, alsoNeeds, body }, bodyLimit, handler })
    }
  }
  const index = new RouteIndex(routes)
  server.setNotFoundHandler((request, reply) => {
    const allowed = index.methodsAt(request.path)
    if (allowed.length === 0) return sendError(new AppError('NOT_FOUND'), request, reply)
    if (allowed.includes('GET')) allowed.push('HEAD')
    const detail = `This path takes ${allowed.join(', ')}.`
    return sendError(
      new AppError('METHOD_NOT_ALLOWED', { detail, headers: { allow: allowed.join(', ') } }),
      request,
      reply,
    )
  })
}

/** Which of some routes answers for a path, decoded, whatever the method. */
export class RouteIndex {
  readonly #entries: readonly { readonly route: Route; readonly segments: readonly string[] }[]

  constructor(routes: readonly Route[]) {
    this.#entries = routes.map((route) => ({ route, segments: route.path.split('/') }))
  }

  at(path: string): Route | undefined {
    const segments = path.split('/')
    return this.#entries.find((entry) => matches(entry.segments, segments))?.route
  }

  /** The methods that are answered at a path, decoded, by whichever routes. */
  methodsAt(path: string): string[] {
    const segments = path.split('/')
    const routes = this.#entries.filter((entry) => matches(entry.segments, segments))
    return [...new Set(routes.flatMap(({ route }) => Object.keys(route.methods)))]
  }

  /** Whether there is something at a path now. */
  isServed(path: string): boolean {
    const route = this.at(path)
    return route !== undefined && (route.isThere?.(path) ?? true)
  }

  /** The parts of the route that answers for a path; undefined where it has none. */
  partsAt(path: string): readonly string[] | undefined {
    return this.at(path)?.parts?.()
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpenEnded = pattern.at(-1) === '*'
  const count = isOpenEnded ? pattern.length - 1 : pattern.length
  if (isOpenEnded ? segments.length < count : segments.length !== count) return false
  for (let index = 0; index < count; index += 1) {
    const part = pattern[index]
    if (part !== segments[index] && part?.startsWith(':') !== true) return false
  }
  return true
}
