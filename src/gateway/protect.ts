/**
 * The only hook for authentication and authorization: before anything else is done for a request, for every route and for
 * paths without one. A route is open only by its own declaration (`access`) or by a public API route. The same decision
 * fixes the destination: a request that was allowed to an upstream API can never reach one of the gateway's own APIs.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import type { AdmittedRequest, ArrivedRequest } from '../access/authorization/admit.ts'
import type { ApiRoute } from '../access/authorization/api-route.ts'
import type { PublicRoutes } from '../access/authorization/api-routes.ts'
import { type RequestCount, tooManyRequests } from '../access/authorization/request-limits.ts'
import type { Actor, Caller } from '../access/caller.ts'
import { AppError } from '../errors/app-error.ts'
import { clientAddressOf } from '../http/client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether it was allowed by its caller's rights, or by a public API route; an open route does not identify its
     * caller.
     */
    isAllowed: boolean
    /** The caller; undefined if anyone may call, and no valid token says who does. */
    caller: Caller | undefined
    /** What public routes opened when it was allowed; undefined for an open route. */
    publicRoutes: PublicRoutes | undefined
    /** The API route whose upstream handles it; undefined if the gateway itself does. */
    upstreamRoute: ApiRoute | undefined
    /** The parts of the route that the caller may use; undefined for all. */
    onlyParts: readonly string[] | undefined
    /** The rate limit headers of the response; undefined if the caller's requests are not counted. */
    limitHeaders: RequestCount['headers'] | undefined
  }
}

type Done = (error?: Error) => void

/**
 * Protects every route of a server. To be called before it listens. `isOwn` says whether the gateway itself serves a
 * decoded path.
 */
export function protect(
  server: FastifyInstance,
  access: Pick<Access, 'admit' | 'admitAtOnce' | 'count'>,
  isOwn: (path: string) => boolean,
): void {
  server.decorateRequest('isAllowed', false)
  server.decorateRequest('caller', undefined)
  server.decorateRequest('publicRoutes', undefined)
  server.decorateRequest('upstreamRoute', undefined)
  server.decorateRequest('onlyParts', undefined)
  server.decorateRequest('limitHeaders', undefined)
  const enter = (request: FastifyRequest, reply: FastifyReply, admitted: AdmittedRequest, done: Done) => {
    const { caller } = admitted
    request.isAllowed = true
    request.caller = caller
    request.publicRoutes = admitted.publicRoutes
    request.upstreamRoute = admitted.upstreamRoute
    request.onlyParts = admitted.onlyParts
    const limits = caller?.limits
    if (caller === undefined || limits === undefined) return done()
    const finish = (count: RequestCount | undefined) => {
      if (count === undefined) return done()
      if (!count.isAllowed) return done(tooManyRequests(count, limits))
      request.limitHeaders = count.headers
      reply.headers(count.headers)
      done()
    }
    const counted = access.count(caller)
    if (counted instanceof Promise) counted.then(finish, done)
    else finish(counted)
  }
  // Nearly every request is decided synchronously; a promise would be most of the cost.
  server.addHook('onRequest', (request, reply, done) => {
    const { access: declared, parts, alsoNeeds } = request.routeOptions.config ?? {}
    if ((typeof declared === 'function' ? declared(request) : declared) === 'open') return done()
    const { method, path, headers } = request
    const asked = { method, path, headers, isOwn: isOwn(path), parts: parts?.() }
    const needed = asked.isOwn ? alsoNeeds?.(path) : undefined
    if (needed !== undefined) {
      return void admitCall(access, asked, needed, isOwn).then(
        (both) => enter(request, reply, both, done),
        done,
      )
    }
    let admitted: AdmittedRequest | undefined
    try {
      admitted = access.admitAtOnce(asked)
    } catch (error) {
      return done(error as Error)
    }
    if (admitted !== undefined) return enter(request, reply, admitted, done)
    access.admit(asked).then((read) => enter(request, reply, read, done), done)
  })
}

/** Admits a call that may need the right to another one as well; throws as `Access.admit` does. */
export async function admitCall(
  access: Pick<Access, 'admit'>,
  call: ArrivedRequest,
  needed: Pick<ArrivedRequest, 'method' | 'path'> | undefined,
  isOwn: (path: string) => boolean,
): Promise<AdmittedRequest> {
  const admitted = await access.admit(call)
  if (needed === undefined) return admitted
  const other = await access.admit({ headers: call.headers, isOwn: isOwn(needed.path), ...needed })
  return { ...admitted, caller: admitted.caller ?? other.caller }
}

const refusals: readonly string[] = ['ROLE_NOT_ALLOWED', 'TOKEN_MISSING', 'TOKEN_INVALID']

/** Whether who sends these headers may also make another call, of one of the gateway's own APIs. */
export async function mayCall(
  access: Pick<Access, 'admit' | 'admitAtOnce'>,
  call: Pick<ArrivedRequest, 'method' | 'path' | 'headers'>,
): Promise<boolean> {
  const own = { ...call, isOwn: true }
  try {
    if (access.admitAtOnce(own) === undefined) await access.admit(own)
    return true
  } catch (error) {
    if (error instanceof AppError && refusals.includes(error.code)) return false
    throw error
  }
}

/** The actor of a request; throws TOKEN_MISSING if no one was authenticated. */
export function actorOf(request: FastifyRequest): Actor {
  const { caller, id } = request
  if (caller === undefined) {
    throw new AppError('TOKEN_MISSING', { headers: { 'www-authenticate': 'Bearer' } })
  }
  const { username: account, roles: rights, attributes } = caller
  return { account, rights, attributes, address: clientAddressOf(request), requestId: id }
}
