/** Everything below the proxy path is forwarded to the backend before its body is read: bodies are streamed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddressOf } from '../../http/client-address.ts'
import { upgradeOf } from '../../http/upgrade.ts'
import type { Observer } from '../../observe/events.ts'
import type { ClientExchange } from '../../proxy/client-exchange.ts'
import { headerValue } from '../../proxy/header-list.ts'
import type { Upstream } from '../../proxy/proxy.ts'
import type { AdmittedCall, BackendAccess } from './backend-access.ts'
import { type BackendHeaderRules, backendRequestHeaders, backendResponseHeaders } from './backend-headers.ts'

export interface BackendParts extends BackendHeaderRules {
  /** Such as `/backend`; needs no percent-encoding. */
  readonly proxyPath: string
  readonly upstream: Upstream
  readonly access: BackendAccess
  /** The address that browsers use. */
  readonly baseUrl: () => string
  readonly observe: Observer
}

/** To be called before other hooks that send responses. */
export function serveBackend(server: FastifyInstance, parts: BackendParts): void {
  let seenAs: BrowserAddress | undefined
  server.addHook('onRequest', async (request, reply) => {
    if (!isBelow(request.path, parts.proxyPath)) return
    const { method, headers, raw } = request
    const call = await parts.access.admit({ method, headers, isUpgrade: upgradeOf(raw) !== undefined })
    seenAs ??= browserAddressOf(parts.baseUrl())
    const outcome = await parts.upstream.forward(exchangeOf(request, reply, call, seenAs, parts))
    if (outcome.kind === 'brokenOff') {
      parts.observe({ kind: 'RequestFailed', requestId: request.id, error: outcome.error })
    }
    reply.hijack()
  })
}

/** How browsers reach the web front. */
type BrowserAddress = Pick<ClientExchange['forwardedFor'], 'protocol' | 'host'>

function browserAddressOf(baseUrl: string): BrowserAddress {
  const { protocol, host } = new URL(baseUrl)
  return { protocol: protocol === 'https:' ? 'https' : 'http', host }
}

function isBelow(path: string, proxyPath: string): boolean {
  return path === proxyPath || path.startsWith(`${proxyPath}/`)
}

function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  call: AdmittedCall,
  seenAs: BrowserAddress,
  parts: BackendParts,
): ClientExchange {
  const { proxyPath } = parts
  const [encodedPath = '/', ...rest] = (request.raw.url ?? '/').split('?')
  const forwarded = () => ({
    requestId: request.id,
    takesOverTokens: call.takesOverTokens,
    credential: call.credential(),
  })
  return {
    request: request.raw,
    response: reply.raw,
    encodedPath,
    query: rest.length === 0 ? '' : `?${rest.join('?')}`,
    forwardedFor: {
      address: clientAddressOf(request),
      ...seenAs,
      prefix: proxyPath,
    },
    mapping: { prefix: proxyPath, covers: (path) => isBelow(path, proxyPath) },
    requestHeaders: (headers) => backendRequestHeaders(headers, forwarded(), parts),
    responseHeaders: (headers, status) => backendResponseHeaders({ status, headers }, forwarded(), parts),
    wantsAgain: ({ status, headers }, maySendAgain) =>
      status === 401 &&
      call.refused({ hasChallenge: headerValue(headers, 'www-authenticate') !== undefined, maySendAgain }),
    watchEndless: (end) => {
      const timer = setInterval(() => void endWithSession(call, end), recheckMs).unref()
      return () => clearInterval(timer)
    },
  }
}

/** How long a stream may outlive its session, in milliseconds. */
const recheckMs = 500

/** Ends a stream whose session has ended. While that cannot be checked, the stream continues. */
async function endWithSession(call: AdmittedCall, end: () => void): Promise<void> {
  try {
    if (await call.hasEnded()) end()
  } catch {
    // The store is away.
  }
}
