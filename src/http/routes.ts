import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { matchesSegments } from '../util/matches-segments.ts'
import { sendError, shortBodyBytes } from './server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess | AccessOfRequest
    parts?: RouteParts | undefined
    alsoNeeds?: NeededRight | undefined
    body?: BodyReading
  }
}

/** `open`: anyone may call it. `protected` is the default. */
type RouteAccess = 'open' | 'protected'

/** Decides for each request, with any method, before anything else is done for it. */
type AccessOfRequest = (request: FastifyRequest) => RouteAccess

/**
 * Names of the parts of a route that can be allowed separately, such as entities; the same list as long as they do not
 * change.
 */
type RouteParts = () => readonly string[]

/** Another call that the caller of a decoded path must be allowed as well. */
type NeededRight = (path: string) => { readonly method: Method; readonly path: string }

/** `bytes`: the handler gets the raw body as a Buffer. `unused`: none is required, whatever the content type says. */
type BodyReading = 'parsed' | 'bytes' | 'unused'

/** How large a body may be: a `form` 16 kB, a `document` 1 MB, `data` as much as the server accepts. */
type BodySize = 'form' | 'document' | 'data'

const bodySizes: Readonly<Record<BodySize, number>> = {
  form: shortBodyBytes,
  document: 1_048_576,
  data: Number.POSITIVE_INFINITY,
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Returns the body of the response, or sends it by `reply` itself. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** What is served at one path: `:name` stands for one segment, a final `*` for any rest. */
export interface Route {
  readonly path: string
  readonly access?: RouteAccess | AccessOfRequest
  readonly parts?: RouteParts
  readonly alsoNeeds?: NeededRight
  /** Whether there is something at a decoded path that `path` matches; without it there always is. */
  readonly isThere?: (path: string) => boolean
  readonly body?: BodyReading
  /** Without it, that of a `document`. */
  readonly bodySize?: BodySize
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
}

/** A path that a service serves, and its methods. */
export interface ServedPath {
  readonly path: string
  readonly methods: readonly Method[]
}

/** The paths of some routes, in order. */
export function pathsOf(routes: readonly Route[]): readonly ServedPath[] {
  return routes.map(({ path, methods }) => ({ path, methods: Object.keys(methods) as Method[] }))
}

/**
 * Adds all routes of a service at once. For an unsupported method, an existing path responds with 405 and `Allow`; a
 * missing path with 404, and with what `adviceAt` says about it.
 */
export function addRoutes(
  server: FastifyInstance,
  routes: readonly Route[],
  adviceAt: (path: string) => string | undefined = () => undefined,
): void {
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
    if (allowed.length === 0) {
      const advice = adviceAt(request.path)
      const detail = advice === undefined ? {} : { detail: advice }
      return sendError(new AppError('NOT_FOUND', detail), request, reply)
    }
    if (allowed.includes('GET')) allowed.push('HEAD')
    const detail = `This path takes ${allowed.join(', ')}.`
    return sendError(
      new AppError('METHOD_NOT_ALLOWED', { detail, headers: { allow: allowed.join(', ') } }),
      request,
      reply,
    )
  })
}

/** Finds the route of a decoded path, for any method. */
export class RouteIndex {
  readonly #entries: readonly { readonly route: Route; readonly segments: readonly string[] }[]

  constructor(routes: readonly Route[]) {
    this.#entries = routes.map((route) => ({ route, segments: route.path.split('/') }))
  }

  at(path: string): Route | undefined {
    const segments = path.split('/')
    return this.#entries.find((entry) => matchesSegments(entry.segments, segments))?.route
  }

  /** The methods of all routes at a decoded path. */
  methodsAt(path: string): string[] {
    const segments = path.split('/')
    const routes = this.#entries.filter((entry) => matchesSegments(entry.segments, segments))
    return [...new Set(routes.flatMap(({ route }) => Object.keys(route.methods)))]
  }

  /** Whether there is something at a path now. */
  isServed(path: string): boolean {
    const route = this.at(path)
    return route !== undefined && (route.isThere?.(path) ?? true)
  }

  /** The parts of the route at a path; undefined if it has none. */
  partsAt(path: string): readonly string[] | undefined {
    return this.at(path)?.parts?.()
  }
}
