/** Everything below a proxy path is forwarded to its backend before its body is read: bodies are streamed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { clientAddressOf } from '../../http/client-address.ts'
import { upgradeOf } from '../../http/upgrade.ts'
import type { Observer } from '../../observe/events.ts'
import type { ClientExchange } from '../../proxy/client-exchange.ts'
import { type HeaderList, headerValue } from '../../proxy/header-list.ts'
import type { AdmittedCall, BackendAccess } from './backend-access.ts'
import { backendRequestHeaders, backendResponseHeaders } from './backend-headers.ts'
import type { BackendSettings } from './backend-settings.ts'
import type { OpenBackend, OpenBackends } from './open-backends.ts'

export interface BackendParts {
  readonly backends: OpenBackends
  readonly access: BackendAccess
  /** Name of the session's cookie, without a prefix. */
  readonly cookieName: string
  /** The address that browsers use. */
  readonly baseUrl: () => string
  readonly observe: Observer
}

/** To be called before other hooks that send responses. */
export function serveBackends(server: FastifyInstance, parts: BackendParts): void {
  let seenAs: BrowserAddress | undefined
  server.addHook('onRequest', async (request, reply) => {
    const { method, headers, raw } = request
    const [encodedPath = '/'] = (raw.url ?? '/').split('?', 1)
    const backend = parts.backends.at(encodedPath)
    if (backend === undefined) return
    const arrived = { method, headers, isUpgrade: upgradeOf(raw) !== undefined }
    const call = await parts.access.admit(arrived, backend.source)
    const { caller } = call
    const identity = caller === undefined ? [] : await backend.identityHeaders(caller)
    seenAs ??= browserAddressOf(parts.baseUrl())
    const forwarded = { call, identity, backend, seenAs, encodedPath }
    const outcome = await backend.upstream
      .forward(exchangeOf(request, reply, forwarded, parts))
      .catch((error) => throwExplained(error, backend.settings))
    if (outcome.kind === 'brokenOff') {
      parts.observe({ kind: 'RequestFailed', requestId: request.id, error: outcome.error })
    }
    reply.hijack()
  })
}

/** To people, the gateway is no upstream API. */
function throwExplained(error: unknown, { isGateway = false }: BackendSettings): never {
  if (!isGateway || !(error instanceof AppError) || error.code !== 'UPSTREAM_UNREACHABLE') throw error
  throw new AppError(error.code, { detail: gatewayAway, cause: error })
}

const gatewayAway =
  'The web front cannot reach the gateway. Check that it runs, and that gateway.url is its address.'

/** How browsers reach the web front. */
type BrowserAddress = Pick<ClientExchange['forwardedFor'], 'protocol' | 'host'>

function browserAddressOf(baseUrl: string): BrowserAddress {
  const { protocol, host } = new URL(baseUrl)
  return { protocol: protocol === 'https:' ? 'https' : 'http', host }
}

interface Forwarded {
  readonly call: AdmittedCall
  /** The headers that say who calls. */
  readonly identity: HeaderList
  readonly backend: OpenBackend
  readonly seenAs: BrowserAddress
  readonly encodedPath: string
}

function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { call, identity, backend, seenAs, encodedPath }: Forwarded,
  { backends, cookieName }: BackendParts,
): ClientExchange {
  const { proxyPath, tokenHeader, rewrites = false, isGateway = false } = backend.settings
  const rules = { tokenHeader, cookieName, isGateway }
  const url = request.raw.url ?? '/'
  const { browserTokens } = call
  const forwarded = () => ({ requestId: request.id, browserTokens, credential: call.credential(), identity })
  return {
    request: request.raw,
    response: reply.raw,
    encodedPath,
    query: url.slice(encodedPath.length),
    forwardedFor: { address: clientAddressOf(request), ...seenAs, prefix: proxyPath },
    mapping: {
      prefix: proxyPath,
      covers: (path) => backends.at(path) === backend,
      allowsEncodedSlashes: true,
      rewrites,
    },
    requestHeaders: (headers) => backendRequestHeaders(headers, forwarded(), rules),
    responseHeaders: (headers, status) => backendResponseHeaders({ status, headers }, forwarded(), rules),
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
