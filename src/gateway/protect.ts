/**
 * The one hook that decides who gets in: before anything else is done for a request, for every route and
 * for paths where there is none. A route is open only by its own declaration (`access`) or by a public API
 * route. Where a request goes is decided with it, once: what was let in to an upstream API can never end at an
 * API of the gateway's own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import type { Admission } from '../access/authorization/admit.ts'
import type { ApiRoute } from '../access/authorization/api-route.ts'
import { type RequestCount, tooManyRequests } from '../access/authorization/request-limits.ts'
import type { Actor, Caller } from '../access/caller.ts'
import { AppError } from '../errors/app-error.ts'
import { clientAddressOf } from '../http/client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it was let in by its caller's rights, or by a public API route; an open route says nothing of who calls. */
    isLetIn: boolean
    /** Who is calling; undefined where anybody may. */
    caller: Caller | undefined
    /** The API route whose upstream answers; undefined where the gateway answers itself. */
    upstreamRoute: ApiRoute | undefined
    /** The parts of the route that the caller may use; undefined where it is the whole. */
    onlyParts: readonly string[] | undefined
    /** What the answer says of the limits of the caller; undefined where its requests are not counted. */
    limitHeaders: RequestCount['headers'] | undefined
  }
}

type Done = (error?: Error) => void

/**
 * Protects every route of a server. To be called before it listens. `isOwn` says whether the gateway itself
 * answers for a path, decoded.
 */
export function protect(
  server: FastifyInstance,
  access: Pick<Access, 'admit' | 'admitAtOnce' | 'count'>,
  isOwn: (path: string) => boolean,
): void {
  server.decorateRequest('isLetIn', false)
  server.decorateRequest('caller', undefined)
  server.decorateRequest('upstreamRoute', undefined)
  server.decorateRequest('onlyParts', undefined)
  server.decorateRequest('limitHeaders', undefined)
  const enter = (request: FastifyRequest, reply: FastifyReply, admission: Admission, done: Done) => {
    const { caller } = admission
    request.isLetIn = true
    request.caller = caller
    request.upstreamRoute = admission.upstreamRoute
    request.onlyParts = admission.onlyParts
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
  // Nearly every request is decided without waiting for anything; a promise would be most of what it costs.
  server.addHook('onRequest', (request, reply, done) => {
    const { access: declared, parts, alsoNeeds } = request.routeOptions.config ?? {}
    if ((typeof declared === 'function' ? declared(request) : declared) === 'open') return done()
    const { method, path, headers } = request
    const asked = { method, path, headers, isOwn: isOwn(path), parts: parts?.() }
    const needed = asked.isOwn ? alsoNeeds?.(path) : undefined
    if (needed !== undefined) {
      const admitBoth = async (): Promise<Admission> => {
        const admission = await access.admit(asked)
        const other = await access.admit({ headers, isOwn: isOwn(needed.path), ...needed })
        return { ...admission, caller: admission.caller ?? other.caller }
      }
      return void admitBoth().then((both) => enter(request, reply, both, done), done)
    }
    let admission: Admission | undefined
    try {
      admission = access.admitAtOnce(asked)
    } catch (error) {
      return done(error as Error)
    }
    if (admission !== undefined) return enter(request, reply, admission, done)
    access.admit(asked).then((read) => enter(request, reply, read, done), done)
  })
}

/** Who changes something by a request; throws TOKEN_MISSING where nobody was authenticated. */
export function actorOf(request: FastifyRequest): Actor {
  const { caller, id } = request
  if (caller === undefined) {
    throw new AppError('TOKEN_MISSING', { headers: { 'www-authenticate': 'Bearer' } })
  }
  const { username: account, roles: rights } = caller
  return { account, rights, address: clientAddressOf(request), requestId: id }
}
