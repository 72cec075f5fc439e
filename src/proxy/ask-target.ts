/** One attempt to forward a request: to one target, over the connections that suit it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { upgradeOf } from '../http/upgrade.ts'
import { sendBody } from './client-exchange.ts'
import type { ClientExchange } from './forward.ts'
import { rawHeadersOf } from './header-list.ts'
import { startPooledRequest } from './pooled-request.ts'
import { clientHeaders, type Framing, targetHeaders } from './request-headers.ts'
import { type Target, targetPath } from './target.ts'
import type { TargetReaction } from './target-answer.ts'
import { type Agents, startTargetRequest, type Timeouts } from './target-request.ts'

/** What targets are reached over. */
export interface Connections {
  readonly timeouts: Timeouts
  readonly agents: Agents
  /** Connections to one target for requests that are there whole, which are most. */
  readonly poolOf: (target: Target) => Dispatcher | undefined
  /** Called for a target that answers in a way that such a pool takes for an error: then it has none any more. */
  readonly withoutPool: (target: Target) => void
}

/** A request to a target that is under way. */
export interface Asked {
  /** That was asked for, without its query. */
  readonly path: string
  /** Rejects with an `UpstreamFailure`. */
  readonly reaction: Promise<TargetReaction>
  /** Ends it, whatever its state. */
  readonly cancel: () => void
  /** To be called after the answer. A target may answer before it has read everything; it gets no more then. */
  readonly finish: () => void
}

/** Asks a target. With `ownConnection`, on one that served nobody before. */
export function ask(
  target: Target,
  ownConnection: boolean,
  exchange: ClientExchange,
  framing: Framing,
  { via, connections }: { readonly via: string; readonly connections: Connections },
): Asked {
  const { request, response, encodedPath, query, mapping, forwardedFor, requestHeaders } = exchange
  const { timeouts, agents, poolOf, withoutPool } = connections
  const path = targetPath(target, mapping, encodedPath)
  const ownHeaders = requestHeaders(clientHeaders(request))
  const asked = {
    target,
    method: request.method ?? 'GET',
    path: path + query,
    headers: rawHeadersOf(targetHeaders(request, ownHeaders, target, forwardedFor, framing, via)),
    timeouts,
  }
  const inform = (status: number, link: string | readonly string[] | undefined) =>
    passInformation(status, link, response)
  const pool = ownConnection || mayBeEndless(request) ? undefined : poolOf(target)
  const body = pool === undefined ? undefined : bodyThatIsThere(request, framing)
  if (pool !== undefined && body !== undefined) {
    const refuse = () => withoutPool(target)
    const { reaction, cancel } = startPooledRequest(asked, body, pool, { inform, refuse })
    return { path, reaction, cancel, finish: () => {} }
  }
  const started = startTargetRequest({ ...asked, ownConnection }, agents)
  const { outgoing } = started
  // Nothing has come or gone for long: until there is an answer it is the client who keeps the target waiting.
  outgoing.on('timeout', () => started.abort(request.complete ? 'answerTimeout' : 'requestTimeout'))
  outgoing.on('information', ({ statusCode, headers, httpVersion }) => {
    if (httpVersion === '1.1') inform(statusCode, headers.link)
  })
  if (framing.kind === 'none') outgoing.end()
  else sendBody(request, response, started)
  const cancel = () => void outgoing.destroy()
  const finish = () => {
    if (!outgoing.writableFinished) outgoing.destroy()
  }
  return { path, reaction: started.reaction, cancel, finish }
}

/** The body of a request, null where it has none; undefined as long as something of it is still to come. */
function bodyThatIsThere(request: IncomingMessage, framing: Framing): Buffer | null | undefined {
  if (framing.kind === 'none') return null
  if (framing.kind === 'chunks' || request.readableLength !== Number(framing.length)) return undefined
  return request.read() ?? undefined
}

/** Many streams that stay for long would be in the way of the others. */
function mayBeEndless(request: IncomingMessage): boolean {
  return upgradeOf(request) !== undefined || request.headers.accept === 'text/event-stream'
}

/** Passes `102 Processing` and `103 Early Hints` on. Clients of HTTP/1.0 know no such thing. */
function passInformation(
  status: number,
  link: string | readonly string[] | undefined,
  response: ServerResponse,
): void {
  if (response.headersSent || response.req.httpVersion !== '1.1') return
  if (status === 102) response.writeProcessing()
  if (status === 103 && link !== undefined && isLink(link)) response.writeEarlyHints({ link: [link].flat() })
}

/** As Node.js wants them, which throws on others. */
function isLink(link: string | readonly string[]): boolean {
  return [link].flat().every((value) => /^<[^>,]*>(;\s*\w+="?[\w./ -]*"?)*$/.test(value))
}
