/** The journey of one forwarded request: to a target, to another one where that is harmless, and back. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../errors/app-error.ts'
import { awaitsContinue } from '../continue.ts'
import { switchProtocols, upgradeOf } from '../upgrade.ts'
import { type AnswerMapping, answerHeadersOf } from './answer-headers.ts'
import { sendAnswerBody, sendBody, writeHead } from './client-exchange.ts'
import { type HeaderList, listValues } from './header-list.ts'
import {
  clientHeaders,
  type ForwardedFor,
  type Framing,
  framingHeaders,
  framingOf,
  proxyHeaders,
} from './request-headers.ts'
import { type Target, targetPath } from './target.ts'
import type { TargetPool } from './target-pool.ts'
import { type Agents, startTargetRequest, type TargetReaction, type Timeouts } from './target-request.ts'
import { openTunnel } from './tunnel.ts'
import { errorOfFailure, UpstreamFailure } from './upstream-failure.ts'

/** A request to be forwarded, and how. */
export interface ClientExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Percent-encoded in the one canonical way; it starts with the mapping's prefix. */
  readonly encodedPath: string
  /** With its `?`; '' for none. */
  readonly query: string
  readonly forwardedFor: ForwardedFor
  readonly mapping: AnswerMapping
  /** The headers that a target gets, of those that the client sent for it. */
  readonly requestHeaders: (headers: HeaderList) => HeaderList
  /** The headers that the client gets, of those that a target answered with. */
  readonly answerHeaders: (headers: HeaderList) => HeaderList
  /**
   * Asked about an answer to a safe request before it is passed on, once: with true it is dropped, and the request
   * is sent again with new `requestHeaders`.
   */
  readonly wantsAgain?: (answer: IncomingMessage) => Promise<boolean>
  /** Called when the answer turns out to have no end of its own, with the way to end it; gives what to do at its end. */
  readonly watchEndless: (end: () => void) => () => void
}

/** How a forwarded request ended. */
export type ForwardOutcome =
  | { readonly kind: 'answered' }
  /** The client went away before it had everything. */
  | { readonly kind: 'clientLeft' }
  /** The target did, and the client's connection was cut: it had a part of the answer already. */
  | { readonly kind: 'brokenOff'; readonly error: UpstreamFailure }

/** What forwarding works with. */
export interface ForwardParts {
  readonly pool: TargetPool
  readonly timeouts: Timeouts
  readonly agents: Agents
  /** The name of this proxy in `Via`: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3 */
  readonly via: string
  /** How to end each stream that has no end of its own. */
  readonly streams: Set<() => void>
}

interface Reached {
  readonly outgoing: ClientRequest
  readonly target: Target
  readonly path: string
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
  try {
    const first = await reach(exchange, framing, client, parts)
    const isDropped = first !== undefined && (await isUnwanted(first, exchange, framing))
    const reached = isDropped ? await reach(exchange, framing, client, parts) : first
    if (reached === undefined) return { kind: 'clientLeft' }
    if (reached.reaction.kind === 'answer')
      return await answer(exchange, reached, reached.reaction.answer, parts)
    return await tunnel(exchange, reached, reached.reaction, parts)
  } finally {
    client.forget()
  }
}

async function isUnwanted(
  { outgoing, reaction }: Reached,
  { request, wantsAgain }: ClientExchange,
  framing: Framing,
): Promise<boolean> {
  if (wantsAgain === undefined || reaction.kind !== 'answer' || !isHarmlessTwice(request, framing))
    return false
  const isUnwantedAnswer = await wantsAgain(reaction.answer)
  if (isUnwantedAnswer) outgoing.destroy()
  return isUnwantedAnswer
}

function refuseCircle({ rawHeaders }: IncomingMessage, via: string): void {
  const passed = rawHeaders.some((text, index) => index % 2 === 1 && text.includes(via))
  if (passed) throw new AppError('UPSTREAM_CIRCLE')
}

interface WatchedClient {
  readonly isGone: () => boolean
  /** Called when the client goes; replaces the one before. */
  onGone(listener: () => void): void
  forget(): void
}

function watchClient(response: ServerResponse): WatchedClient {
  let listener = () => {}
  const closed = () => {
    if (!response.writableFinished) listener()
  }
  response.once('close', closed)
  return {
    isGone: () => response.destroyed || response.socket?.destroyed === true,
    onGone(next) {
      listener = next
    },
    forget: () => response.off('close', closed),
  }
}

/** Asks one target, or several in turn; undefined when the client went away meanwhile. */
async function reach(
  exchange: ClientExchange,
  framing: Framing,
  client: WatchedClient,
  parts: ForwardParts,
): Promise<Reached | undefined> {
  const { pool } = parts
  const isHarmless = isHarmlessTwice(exchange.request, framing)
  const tried = new Set<Target>()
  let target = pool.next(tried)
  let ownConnection = upgradeOf(exchange.request) !== undefined
  while (target !== undefined && !client.isGone()) {
    try {
      const reached = await ask(target, ownConnection, exchange, framing, client, parts)
      pool.answered(target)
      return reached
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      if (client.isGone()) return undefined
      if (isHarmless && error.isOfReusedConnection && !ownConnection) {
        ownConnection = true
        continue
      }
      tried.add(target)
      const isItsFault = error.kind !== 'answerTimeout' && error.kind !== 'requestTimeout'
      if (isItsFault) pool.failed(target)
      target = isHarmless && isItsFault ? pool.next(tried) : undefined
      if (target === undefined) throw errorOfFailure(error)
    }
  }
  if (client.isGone()) return undefined
  throw new AppError('UPSTREAM_UNREACHABLE')
}

/** Whether asking again can do no harm: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1 */
function isHarmlessTwice(request: IncomingMessage, framing: Framing): boolean {
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')
  return isSafe && framing.kind === 'none' && upgradeOf(request) === undefined
}

async function ask(
  target: Target,
  ownConnection: boolean,
  exchange: ClientExchange,
  framing: Framing,
  client: WatchedClient,
  { agents, timeouts, via }: ForwardParts,
): Promise<Reached> {
  const { request, response, encodedPath, query, mapping } = exchange
  const method = request.method ?? 'GET'
  const path = targetPath(target, mapping, encodedPath)
  const started = startTargetRequest(
    {
      target,
      method,
      path: path + query,
      headers: targetHeaders(exchange, target, framing, via),
      timeouts,
      ownConnection,
    },
    agents,
  )
  const { outgoing } = started
  client.onGone(() => outgoing.destroy())
  // Nothing has come or gone for long: until there is an answer it is the client who keeps the target waiting.
  outgoing.on('timeout', () => started.abort(request.complete ? 'answerTimeout' : 'requestTimeout'))
  outgoing.on('information', (information) => passInformation(information, response))
  if (framing.kind === 'none') outgoing.end()
  else sendBody(request, response, started)
  return { outgoing, target, path, reaction: await started.reaction }
}

function targetHeaders(
  { request, requestHeaders, forwardedFor }: ClientExchange,
  target: Target,
  framing: Framing,
  via: string,
): HeaderList {
  const { headers, httpVersion } = request
  const upgrade: HeaderList =
    upgradeOf(request) === undefined
      ? []
      : [
          ['Connection', 'Upgrade'],
          ['Upgrade', 'websocket'],
        ]
  const expectation: HeaderList =
    framing.kind !== 'none' && awaitsContinue(request) ? [['Expect', '100-continue']] : []
  const passed = headers.via === undefined ? '' : `${headers.via}, `
  return [
    ...proxyHeaders(target, forwardedFor),
    ['Via', `${passed}${httpVersion} ${via}`],
    ...requestHeaders(clientHeaders(request)),
    ...framingHeaders(framing, request.method ?? 'GET'),
    ...expectation,
    ...upgrade,
  ]
}

/** Passes `102 Processing` and `103 Early Hints` on. Clients of HTTP/1.0 know no such thing. */
function passInformation(
  {
    statusCode,
    headers,
    httpVersion,
  }: { statusCode: number; headers: NodeJS.Dict<string | string[]>; httpVersion: string },
  response: ServerResponse,
): void {
  if (response.headersSent || response.req.httpVersion !== '1.1' || httpVersion !== '1.1') return
  if (statusCode === 102) response.writeProcessing()
  const { link } = headers
  if (statusCode === 103 && link !== undefined && isLink(link)) response.writeEarlyHints({ link })
}

/** As Node.js wants them, which throws on others. */
function isLink(link: string | readonly string[]): boolean {
  return [link].flat().every((value) => /^<[^>,]*>(;\s*\w+="?[\w./ -]*"?)*$/.test(value))
}

async function answer(
  exchange: ClientExchange,
  { outgoing, target, path }: Reached,
  message: IncomingMessage,
  { streams }: ForwardParts,
): Promise<ForwardOutcome> {
  const { request, response, mapping, answerHeaders, watchEndless } = exchange
  const headers = answerHeaders(answerHeadersOf(message, target, path, mapping))
  writeHead(request, response, message.statusCode ?? 502, headers)
  const isEndless = /^text\/event-stream\b/i.test(message.headers['content-type'] ?? '')
  const end = () => message.destroy()
  const unwatch = isEndless ? watchStream(end, streams, watchEndless) : () => {}
  response.once('close', end)
  try {
    const isBrokenOff = await sendAnswerBody(message, response)
    if (isBrokenOff) return { kind: 'brokenOff', error: new UpstreamFailure('broken', target.origin) }
    return { kind: response.writableFinished ? 'answered' : 'clientLeft' }
  } finally {
    unwatch()
    response.off('close', end)
    // A target may answer before it has read everything; it gets no more then.
    if (!outgoing.writableFinished) outgoing.destroy()
  }
}

/** Makes a stream end when the proxy ends streams, and when whoever watches it wants that. */
function watchStream(
  end: () => void,
  streams: Set<() => void>,
  watchEndless: ClientExchange['watchEndless'],
): () => void {
  streams.add(end)
  const unwatch = watchEndless(end)
  return () => {
    streams.delete(end)
    unwatch()
  }
}

async function tunnel(
  { request, response, answerHeaders, mapping, watchEndless }: ClientExchange,
  { target, path }: Reached,
  { answer, socket, head }: Extract<TargetReaction, { kind: 'switch' }>,
  { streams, timeouts }: ForwardParts,
): Promise<ForwardOutcome> {
  const isWanted = listValues([['upgrade', answer.headers.upgrade ?? '']], 'upgrade').some(
    (protocol) => protocol.toLowerCase() === 'websocket',
  )
  if (upgradeOf(request) === undefined || !isWanted) {
    socket.destroy()
    throw new AppError('UPSTREAM_BROKEN')
  }
  socket.on('error', () => socket.destroy())
  const headers: HeaderList = [
    ...answerHeaders(answerHeadersOf(answer, target, path, mapping)),
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
  ]
  const client = await switchProtocols(request, response, headers.flat())
  if (client === undefined) {
    socket.destroy()
    return { kind: 'clientLeft' }
  }
  const { close, done } = openTunnel([client, { socket, head }], timeouts.idle)
  const unwatch = watchStream(close, streams, watchEndless)
  await done
  unwatch()
  return { kind: 'answered' }
}
