/** The journey of one forwarded request: to a target, to another one if retrying is safe, and back. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../errors/app-error.ts'
import { switchProtocols, upgradeOf } from '../http/upgrade.ts'
import { type Asked, ask, type Connections } from './ask-target.ts'
import type { ClientExchange } from './client-exchange.ts'
import { writeHead } from './client-exchange.ts'
import type { EndlessStreams } from './endless-streams.ts'
import type { HeaderList } from './header-list.ts'
import { headerValue, membersOf, rawHeadersOf } from './header-list.ts'
import { type Framing, framingOf, upgradeHeaders } from './request-headers.ts'
import { responseHeadersOf } from './response-headers.ts'
import type { Target } from './target.ts'
import type { TargetPool } from './target-pool.ts'
import type { TargetReaction, TargetResponse } from './target-response.ts'
import { openTunnel } from './tunnel.ts'
import { errorOfFailure, failureSentence, UpstreamFailure } from './upstream-failure.ts'

/** How a forwarded request ended. */
export type ForwardOutcome =
  | { readonly kind: 'answered' }
  /** The client disconnected before it had everything. */
  | { readonly kind: 'clientLeft' }
  /** The target did, and the client's connection was closed: it had a part of the response already. */
  | { readonly kind: 'brokenOff'; readonly error: UpstreamFailure }

/** What forwarding works with. */
export interface ForwardParts {
  readonly pool: TargetPool
  readonly connections: Connections
  /** The name of this proxy in `Via`: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3 */
  readonly via: string
  readonly streams: EndlessStreams
}

interface Reached {
  readonly asked: Asked
  readonly target: Target
  readonly reaction: TargetReaction
}

/** Forwards one request; see `Upstream.forward`. */
export async function forward(exchange: ClientExchange, parts: ForwardParts): Promise<ForwardOutcome> {
  const { request, response } = exchange
  const framing = framingOf(request)
  if (framing === undefined) {
    throw new AppError('BODY_UNREADABLE', {
      detail: 'Send the body as it is or in chunks, without another transfer coding.',
    })
  }
  refuseCircle(request, parts.via)
  const client = watchClient(response)
  let reached = await reach(exchange, framing, client, parts)
  const isUnwanted = reached === undefined ? false : wantsAgain(reached, exchange, framing)
  if (isUnwanted !== false && (await isUnwanted.catch((error) => cancelled(reached, error)))) {
    reached?.asked.cancel()
    reached = await reach(exchange, framing, client, parts)
  }
  if (reached === undefined) return { kind: 'clientLeft' }
  if (reached.reaction.kind === 'answer') {
    return answer(exchange, reached, reached.reaction.answer, client, parts.streams)
  }
  client.onCancelled(() => {})
  return tunnel(exchange, reached, reached.reaction, parts)
}

function wantsAgain(
  { reaction }: Reached,
  exchange: ClientExchange,
  framing: Framing,
): false | Promise<boolean> {
  if (exchange.wantsAgain === undefined || reaction.kind !== 'answer') return false
  return exchange.wantsAgain(reaction.answer, isHarmlessTwice(exchange.request, framing))
}

function cancelled(reached: Reached | undefined, error: unknown): never {
  reached?.asked.cancel()
  throw error
}

function refuseCircle({ rawHeaders }: IncomingMessage, via: string): void {
  for (let index = 1; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.includes(via)) throw new AppError('UPSTREAM_LOOP')
  }
}

interface WatchedClient {
  readonly isGone: () => boolean
  /** Called when the client disconnects; replaces the previous listener. */
  onCancelled(listener: () => void): void
}

function watchClient(response: ServerResponse): WatchedClient {
  let listener = () => {}
  response.on('close', () => {
    if (!response.writableFinished) listener()
  })
  return {
    isGone: () => response.destroyed || response.socket?.destroyed === true,
    onCancelled(next) {
      listener = next
    },
  }
}

/** Tries one target, or several in turn; undefined if the client disconnected meanwhile. */
async function reach(
  exchange: ClientExchange,
  framing: Framing,
  client: WatchedClient,
  parts: ForwardParts,
): Promise<Reached | undefined> {
  const { pool } = parts
  const isHarmless = isHarmlessTwice(exchange.request, framing)
  const tried: Target[] = []
  let target = pool.next(tried)
  let ownConnection = upgradeOf(exchange.request) !== undefined
  while (target !== undefined && !client.isGone()) {
    try {
      const asked = ask(target, ownConnection, exchange, framing, parts)
      client.onCancelled(asked.cancel)
      const reaction = await asked.reaction
      pool.answered(target)
      return { asked, target, reaction }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      if (client.isGone()) return undefined
      if (isHarmless && error.isOfReusedConnection && !ownConnection) {
        ownConnection = true
        continue
      }
      tried.push(target)
      const isItsFault = error.kind !== 'answerTimeout' && error.kind !== 'requestTimeout'
      if (isItsFault) pool.failed(target, failureSentence(error))
      target = isHarmless && isItsFault ? pool.next(tried) : undefined
      if (target === undefined) throw errorOfFailure(error)
    }
  }
  if (client.isGone()) return undefined
  throw new AppError('UPSTREAM_UNREACHABLE')
}

/** Whether a retry is safe: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1 */
function isHarmlessTwice(request: IncomingMessage, framing: Framing): boolean {
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')
  return isSafe && framing.kind === 'none' && upgradeOf(request) === undefined
}

async function answer(
  exchange: ClientExchange,
  { asked, target }: Reached,
  given: TargetResponse,
  client: WatchedClient,
  streams: EndlessStreams,
): Promise<ForwardOutcome> {
  const { request, response, mapping, responseHeaders, watchEndless } = exchange
  const addressed = responseHeadersOf(given.headers, target, asked.path, mapping)
  const headers = responseHeaders(addressed, given.status)
  writeHead(request, response, given.status, headers)
  client.onCancelled(given.cancel)
  const isEndless = /^text\/event-stream\b/i.test(headerValue(given.headers, 'content-type') ?? '')
  const unwatch = isEndless ? watchStream(given.cancel, streams, watchEndless) : undefined
  const isBrokenOff = await given.sendBody(response)
  unwatch?.()
  asked.finish()
  if (isBrokenOff) return { kind: 'brokenOff', error: new UpstreamFailure('broken', target.origin) }
  return { kind: response.writableFinished ? 'answered' : 'clientLeft' }
}

/** Makes a stream end when the proxy ends streams, or when its watcher ends it. */
function watchStream(
  end: () => void,
  streams: EndlessStreams,
  watchEndless: ClientExchange['watchEndless'],
): () => void {
  const forget = streams.add(end)
  const unwatch = watchEndless(end)
  return () => {
    forget()
    unwatch()
  }
}

async function tunnel(
  { request, response, responseHeaders, mapping, watchEndless }: ClientExchange,
  { target, asked }: Reached,
  { headers: givenHeaders, socket, head }: Extract<TargetReaction, { kind: 'switch' }>,
  { streams, connections }: ForwardParts,
): Promise<ForwardOutcome> {
  const isWanted = membersOf(headerValue(givenHeaders, 'upgrade') ?? '').some(
    (protocol) => protocol.toLowerCase() === 'websocket',
  )
  if (upgradeOf(request) === undefined || !isWanted) {
    socket.destroy()
    throw new AppError('UPSTREAM_BROKEN')
  }
  socket.on('error', () => socket.destroy())
  const headers: HeaderList = [
    ...responseHeaders(responseHeadersOf(givenHeaders, target, asked.path, mapping), 101),
    ...upgradeHeaders,
  ]
  const client = await switchProtocols(request, response, rawHeadersOf(headers))
  if (client === undefined) {
    socket.destroy()
    return { kind: 'clientLeft' }
  }
  const { close, done } = openTunnel([client, { socket, head }], connections.timeouts.idle)
  const unwatch = watchStream(close, streams, watchEndless)
  await done
  unwatch()
  return { kind: 'answered' }
}
