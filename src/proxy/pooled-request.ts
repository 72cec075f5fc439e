/**
 * Requests whose body has arrived, over connection pools that take little CPU time. The response goes to the client
 * without a stream in between.
 */
import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { LookupFunction } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import { type HeaderList, headerListOf } from './header-list.ts'
import type { Target } from './target.ts'
import type { TargetRequest, Timeouts } from './target-request.ts'
import { breakOff, endWith, type TargetReaction, type TargetResponse } from './target-response.ts'
import { type FailureKind, UpstreamFailure } from './upstream-failure.ts'

/** How many bytes of a response are held until the client gets it. */
const heldBytes = 65_536

/** A pool of connections to one target. An idle one is closed after `keepOpenMs`; `lookup` resolves its name. */
export function openPool(
  { origin }: Target,
  timeouts: Timeouts,
  { keepOpenMs, lookup }: { readonly keepOpenMs: number; readonly lookup?: LookupFunction },
): Pool {
  // The whole package includes `fetch`, which takes long to load.
  const load = createRequire(import.meta.url)
  const ConnectionPool: typeof Pool = load('undici/lib/dispatcher/pool.js')
  return new ConnectionPool(origin, {
    allowH2: false,
    connect: { timeout: timeouts.connect, ...(lookup === undefined ? {} : { lookup }) },
    headersTimeout: timeouts.response,
    bodyTimeout: idleMs(timeouts),
    keepAliveTimeout: keepOpenMs,
    keepAliveMaxTimeout: keepOpenMs,
  })
}

function idleMs({ idle, response }: Timeouts): number {
  // While waiting for the response, the response time-out decides.
  return Math.max(idle, response + 1000)
}

/** Listeners for what comes before a response. */
export interface PooledRequestListeners {
  /** Called for an interim response, with its status and `Link` headers. */
  readonly inform: (status: number, link: readonly string[] | undefined) => void
  /** Called when the pool cannot handle the response, such as an unexpected `100 Continue`. */
  readonly refuse: () => void
}

/** Sends a request. `reaction` rejects with an `UpstreamFailure`. */
export function startPooledRequest(
  asked: Omit<TargetRequest, 'ownConnection'>,
  body: Buffer | null,
  pool: Dispatcher,
  listeners: PooledRequestListeners,
): { readonly reaction: Promise<TargetReaction>; readonly cancel: () => void } {
  const handler = new PooledRequest(asked, listeners)
  const { method, path, headers } = asked
  pool.dispatch({ method: method as Dispatcher.HttpMethod, path, headers: [...headers], body }, handler)
  return handler
}

/** Receives what comes on the connection, and holds some of it until the client gets it. */
class PooledRequest implements Dispatcher.DispatchHandler, TargetResponse {
  readonly reaction: Promise<TargetReaction>
  readonly cancel = () => this.#cancel()
  status = 0
  headers: HeaderList = []
  readonly #asked: Omit<TargetRequest, 'ownConnection'>
  readonly #listeners: PooledRequestListeners
  readonly #resolve: (reaction: TargetReaction) => void
  readonly #reject: (failure: UpstreamFailure) => void
  #abort: (() => void) | undefined
  #resume: (() => void) | undefined
  #state: 'waiting' | 'answering' | 'complete' | 'broken' = 'waiting'
  #isCancelled = false
  #held: Buffer[] = []
  #heldBytes = 0
  #response: ServerResponse | undefined
  #broken = () => {}

  constructor(asked: Omit<TargetRequest, 'ownConnection'>, listeners: PooledRequestListeners) {
    const { promise, resolve, reject } = Promise.withResolvers<TargetReaction>()
    this.reaction = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#asked = asked
    this.#listeners = listeners
  }

  onConnect(abort: () => void): void {
    this.#abort = abort
    if (this.#isCancelled) abort()
  }

  /** Bytes are decoded as Node.js does: as latin1. */
  onHeaders(status: number, rawHeaders: readonly Buffer[], resume: () => void): boolean {
    const headers = headerListOf(rawHeaders.map((text) => text.toString('latin1')))
    if (status < 200) {
      const links = headers.filter(({ spelling }) => spelling === 'link').map(({ value }) => value)
      this.#listeners.inform(status, links.length === 0 ? undefined : links)
      return true
    }
    // A coding within the chunks would be mistaken for the body, since its header is for one connection only.
    if (headers.some(({ spelling, value }) => spelling === 'transfer-encoding' && !isChunked(value))) {
      this.#fail('broken')
      this.cancel()
      return false
    }
    this.status = status
    this.headers = headers
    this.#resume = resume
    this.#state = 'answering'
    this.#resolve({ kind: 'answer', answer: this })
    return true
  }

  onData(piece: Buffer): boolean {
    const response = this.#response
    if (response !== undefined) return this.#write(response, piece)
    this.#held.push(piece)
    this.#heldBytes += piece.length
    return this.#heldBytes < heldBytes
  }

  onComplete(): void {
    this.#state = 'complete'
    // From here on the connection belongs to another request.
    this.#resume = undefined
    this.#response?.end()
  }

  onError(error: Error): void {
    if (error.message === 'bad response') this.#listeners.refuse()
    if (this.#state === 'waiting') {
      const { kind, isOfReusedConnection } = failureOf(error, this.#abort !== undefined)
      this.#fail(kind, error, isOfReusedConnection)
      return
    }
    this.#state = 'broken'
    this.#broken()
  }

  sendBody(response: ServerResponse): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const done = () => resolve(false)
    response.on('close', done)
    response.on('finish', done)
    if (this.#state === 'complete') {
      endWith(response, this.#heldBytes === 0 ? undefined : joined(this.#held))
      return promise
    }
    this.#broken = () => {
      if (response.writableEnded || response.destroyed) return
      resolve(true)
      breakOff(response)
    }
    if (this.#state === 'broken') this.#broken()
    else this.#stream(response)
    return promise
  }

  #stream(response: ServerResponse): void {
    this.#response = response
    response.on('drain', () => this.#resume?.())
    if (this.#held.length === 0) response.flushHeaders()
    let isTaken = true
    for (const piece of this.#held) isTaken = this.#write(response, piece)
    this.#held = []
    if (isTaken && this.#heldBytes >= heldBytes) this.#resume?.()
  }

  /** Returns whether the client can take more at once. */
  #write(response: ServerResponse, piece: Buffer): boolean {
    if (response.write(piece)) return true
    const timer = setTimeout(this.cancel, idleMs(this.#asked.timeouts))
    const clear = () => {
      clearTimeout(timer)
      response.off('drain', clear)
      response.off('close', clear)
    }
    response.on('drain', clear)
    response.on('close', clear)
    return false
  }

  #cancel(): void {
    this.#isCancelled = true
    this.#fail('broken')
    this.#abort?.()
  }

  #fail(kind: FailureKind, cause?: Error, isOfReusedConnection = false): void {
    if (this.#state !== 'waiting') return
    this.#state = 'broken'
    this.#reject(new UpstreamFailure(kind, this.#asked.target.origin, { cause, isOfReusedConnection }))
  }
}

function isChunked(coding: string): boolean {
  return coding.trim().toLowerCase() === 'chunked'
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first, second] = pieces
  return first !== undefined && second === undefined ? first : Buffer.concat(pieces)
}

function failureOf(
  error: Error,
  isConnected: boolean,
): { readonly kind: FailureKind; readonly isOfReusedConnection: boolean } {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } }
  if (!isConnected) {
    return {
      kind: code === 'UND_ERR_CONNECT_TIMEOUT' ? 'connectTimeout' : 'unreachable',
      isOfReusedConnection: false,
    }
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return { kind: 'answerTimeout', isOfReusedConnection: false }
  // A connection that was reset does not say whether it served another request before.
  const isReset = code === 'ECONNRESET' || code === 'EPIPE'
  return { kind: 'broken', isOfReusedConnection: isReset || (socket?.bytesRead ?? 0) > 0 }
}
