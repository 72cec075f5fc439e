/**
 * The one hook that decides who gets in: before anything else is done for a request, for every route and
 * for paths where there is none. A route is open only by its own declaration (`access`) or by a public API
 * route.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import type { Actor, Caller } from '../access/caller.ts'
import { AppError } from '../errors/app-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; undefined where anybody may. */
    caller: Caller | undefined
  }
}

/** Protects every route of a server. To be called before it listens. */
export function protect(server: FastifyInstance, access: Pick<Access, 'admit'>): void {
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', async (request) => {
    const declared = request.routeOptions.config?.access
    if ((typeof declared === 'function' ? declared(request) : declared) === 'open') return
    const { method, path, headers } = request
    request.caller = await access.admit({ method, path, headers })
  })
}

/** Who changes something by a request; throws TOKEN_MISSING where nobody was authenticated. */
export function actorOf({ caller, ip, id }: FastifyRequest): Actor {
  if (caller === undefined) {
    throw new AppError('TOKEN_MISSING', { headers: { 'www-authenticate': 'Bearer' } })
  }
  return { account: caller.username, address: ip, requestId: id }
}
