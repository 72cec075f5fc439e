import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { sendError } from './server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess | AccessOfRequest
  }
}

/** `open`: anybody may call it. Otherwise it is protected, whether it says so or not. */
export type RouteAccess = 'open' | 'protected'

/** Decides for each request, of whatever method, before anything else is done for it. */
export type AccessOfRequest = (request: FastifyRequest) => RouteAccess

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Gives the body of the answer, or sends it by `reply` itself. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** What is at one path: `:name` stands for one segment, a final `*` for any rest. */
export interface Route {
  readonly path: string
  readonly access?: RouteAccess | AccessOfRequest
  /** Whether there is something at a path now, decoded, of those that `path` matches; without it there always is. */
  readonly isThere?: (path: string) => boolean
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
}

/**
 * Adds all routes of a service at once. A path that exists answers a method it lacks with 405 and
 * `Allow`; a path that does not, with 404.
 */
export function addRoutes(server: FastifyInstance, routes: readonly Route[]): void {
  for (const { path, access = 'protected', methods } of routes) {
    for (const [method, handler] of Object.entries(methods)) {
      server.route({ method, url: path, config: { access }, handler })
    }
  }
  server.setNotFoundHandler((request, reply) => {
    const route = routeAt(routes, request.path)
    if (route === undefined) return sendError(new AppError('NOT_FOUND'), request, reply)
    const allowed = Object.keys(route.methods)
    if (allowed.includes('GET')) allowed.push('HEAD')
    const detail = `This path takes ${allowed.join(', ')}.`
    return sendError(
      new AppError('METHOD_NOT_ALLOWED', { detail, headers: { allow: allowed.join(', ') } }),
      request,
      reply,
    )
  })
}

/** Whether one of the routes answers for a path, decoded, whatever the method. */
export function isServed(routes: readonly Route[], path: string): boolean {
  const route = routeAt(routes, path)
  return route !== undefined && (route.isThere?.(path) ?? true)
}

function routeAt(routes: readonly Route[], path: string): Route | undefined {
  return routes.find((route) => matches(route.path, path))
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const segments = path.split('/')
  if (wanted.at(-1) === '*') wanted.pop()
  else if (wanted.length !== segments.length) return false
  return wanted.every(
    (part, index) => segments[index] !== undefined && (part.startsWith(':') || part === segments[index]),
  )
}
