/** Requests to other services: they end in time, follow nobody elsewhere, and read only so much. */

export interface OutgoingLimits {
  readonly timeoutMs: number
  readonly answerBytes: number
}

/** What a service that was asked answers with, read whole. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

const usualLimits: OutgoingLimits = { timeoutMs: 10_000, answerBytes: 1_000_000 }

/**
 * Asks another service, over a connection of its own: one that was kept open may have died without a word. Throws when it
 * does not answer in time, or with more than is bearable.
 */
export async function ask(
  url: string | URL,
  init: RequestInit,
  { timeoutMs, answerBytes }: OutgoingLimits = usualLimits,
): Promise<OutgoingAnswer> {
  const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
  const headers = new Headers(init.headers)
  headers.set('connection', 'close')
  const response = await fetch(url, {
    ...init,
    headers,
    redirect: 'manual',
    signal: AbortSignal.any(signals),
  })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > answerBytes) throw new Error(`The answer has more than ${answerBytes} bytes.`)
    pieces.push(piece)
  }
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(Buffer.concat(pieces)) }
}

/** The same for a library that wants a `fetch` of its own. */
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const { status, headers, bytes } = await ask(url, init)
  const hasBody = status !== 204 && status !== 304 && status >= 200
  return new Response(hasBody ? bytes : null, { status, headers })
}
