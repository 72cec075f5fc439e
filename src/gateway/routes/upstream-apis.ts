/** Forwards requests to the upstream APIs that API routes publish. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../access/access.ts'
import { hasBearerForUpstream } from '../../access/authentication/authenticate.ts'
import type { ApiRoute } from '../../access/authorization/api-route.ts'
import { headersToSet, type UpstreamSecrets } from '../../access/authorization/route-headers.ts'
import { coversPath } from '../../access/authorization/route-path.ts'
import { AppError } from '../../errors/app-error.ts'
import { clientAddressOf } from '../../http/client-address.ts'
import type { CrossOrigin } from '../../http/cross-origin.ts'
import type { ResponseHeaders } from '../../http/early-response.ts'
import type { Observer } from '../../observe/events.ts'
import type { ClientExchange } from '../../proxy/client-exchange.ts'
import {
  type ForwardedRequest,
  upstreamRequestHeaders,
  upstreamResponseHeaders,
} from '../upstream-headers.ts'
import type { Upstreams } from '../upstreams.ts'

export interface UpstreamApiParts {
  readonly access: Pick<Access, 'admit'>
  readonly upstreams: Pick<Upstreams, 'of'>
  /** The secrets that routes may send. */
  readonly secrets: UpstreamSecrets
  /** The address that clients use, if known. */
  readonly baseUrl: string | undefined
  /** Headers of all the gateway's own responses. */
  readonly responseHeaders: () => ResponseHeaders
  readonly crossOrigin: CrossOrigin | undefined
  readonly observe: Observer
}

/** To be called after `protect`, before a body is read, since bodies are streamed. */
export function serveUpstreamApis(server: FastifyInstance, parts: UpstreamApiParts): void {
  server.addHook('onRequest', async (request, reply) => {
    const { upstreamRoute } = request
    if (upstreamRoute === undefined) return
    const upstream = parts.upstreams.of(upstreamRoute)
    if (upstream === undefined) throw new AppError('NOT_FOUND')
    const outcome = await upstream.forward(exchangeOf(request, reply, upstreamRoute, parts))
    if (outcome.kind === 'brokenOff') {
      parts.observe({ kind: 'RequestFailed', requestId: request.id, error: outcome.error })
    }
    reply.hijack()
  })
}

function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  route: ApiRoute,
  { access, baseUrl, responseHeaders, crossOrigin, secrets }: UpstreamApiParts,
): ClientExchange {
  const { raw, caller, id } = request
  const [encodedPath = '/', ...rest] = (raw.url ?? '/').split('?')
  const { prefix = '' } = route
  const encodedPrefix = prefix.split('/').map(encodeURIComponent).join('/')
  const forwarded: ForwardedRequest = {
    caller,
    requestId: id,
    isBearerOwn: caller !== undefined && !hasBearerForUpstream(request.headers),
    set: headersToSet(route, secrets),
  }
  const limitHeaders = request.limitHeaders ?? {}
  return {
    request: raw,
    response: reply.raw,
    encodedPath,
    query: rest.length === 0 ? '' : `?${rest.join('?')}`,
    forwardedFor: {
      address: clientAddressOf(request),
      ...addressOfService(request, baseUrl),
      prefix: encodedPrefix,
    },
    mapping: {
      prefix: encodedPrefix,
      covers: (path) => coversPath(route.path, path),
      allowsEncodedSlashes: false,
      rewrites: route.rewrite ?? false,
    },
    requestHeaders: (headers) => upstreamRequestHeaders(headers, forwarded),
    responseHeaders: (headers, status) =>
      upstreamResponseHeaders({ status, headers }, forwarded, {
        own: { ...responseHeaders(), ...limitHeaders },
        crossOrigin: crossOrigin?.headersFor(raw.headers.origin),
      }),
    watchEndless: (end) => {
      const timer = setInterval(() => void endUnlessAllowed(request, access, end), recheckMs).unref()
      return () => clearInterval(timer)
    },
  }
}

/** How long a stream may outlive the right to it, in milliseconds: no longer than other changes take. */
const recheckMs = 500

/** Ends a stream whose token, role or route is gone. While that cannot be checked, the stream continues. */
async function endUnlessAllowed(
  { method, path, headers }: FastifyRequest,
  access: Pick<Access, 'admit'>,
  end: () => void,
): Promise<void> {
  try {
    const { upstreamRoute } = await access.admit({ method, path, headers, isOwn: false })
    if (upstreamRoute === undefined) end()
  } catch (error) {
    if (error instanceof AppError && error.kind.status < 500) end()
  }
}

/** The address that clients use: from the settings, otherwise from the request. */
function addressOfService(
  { headers }: FastifyRequest,
  baseUrl: string | undefined,
): Pick<ClientExchange['forwardedFor'], 'protocol' | 'host'> {
  if (baseUrl !== undefined) {
    const { protocol, host } = new URL(baseUrl)
    return { protocol: protocol === 'https:' ? 'https' : 'http', host }
  }
  const { host = '' } = headers
  return { protocol: 'http', host: /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? host : undefined }
}
