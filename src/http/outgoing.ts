/** Requests to other services, with limits on time and size, and without redirects. */
import { type AgentOptions, globalAgent } from 'node:http'
import { Agent, EnvHttpProxyAgent, type BodyInit as FetchBody, fetch } from 'undici'

export interface OutgoingLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** The whole response of another service. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

const usualLimits: OutgoingLimits = { timeoutMs: 10_000, maxBytes: 1_000_000 }

/**
 * Sends a request to another service, over a new connection: a kept one may be dead. Throws if the response is late or
 * too large.
 */
export async function ask(
  url: string | URL,
  init: RequestInit,
  { timeoutMs, maxBytes }: OutgoingLimits = usualLimits,
): Promise<OutgoingResponse> {
  const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
  const headers = new Headers(init.headers)
  headers.set('connection', 'close')
  // A shared one opens another connection after a request that was given up, and uses it for the next one.
  const dispatcher = usesEnvProxy() ? new EnvHttpProxyAgent() : new Agent()
  try {
    const response = await fetch(url, {
      method: init.method ?? 'GET',
      headers: [...headers],
      body: (init.body ?? null) as FetchBody | null,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
      dispatcher,
    })
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of response.body ?? []) {
      size += piece.length
      if (size > maxBytes) throw new Error(`The response has more than ${maxBytes} bytes.`)
      pieces.push(piece)
    }
    const { status } = response
    return {
      status,
      headers: new Headers([...response.headers]),
      bytes: new Uint8Array(Buffer.concat(pieces)),
    }
  } finally {
    await dispatcher.destroy()
  }
}

/**
 * Whether Node.js was told to use the proxy of the environment, which its own agent then knows:
 * https://nodejs.org/api/http.html#built-in-proxy-support
 */
function usesEnvProxy(): boolean {
  const { options } = globalAgent as unknown as { readonly options: AgentOptions }
  return options.proxyEnv !== undefined
}

/** The same as a `fetch` for a library. */
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const { status, headers, bytes } = await ask(url, init)
  const hasBody = status !== 204 && status !== 304 && status >= 200
  return new Response(hasBody ? bytes : null, { status, headers })
}
