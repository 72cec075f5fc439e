/** One attempt to forward a request: to one target, over a suitable connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { upgradeOf } from '../http/upgrade.ts'
import type { ClientExchange } from './client-exchange.ts'
import { sendBody } from './client-exchange.ts'
import { rawHeadersOf } from './header-list.ts'
import { startPooledRequest } from './pooled-request.ts'
import { clientHeaders, type Framing, targetHeaders } from './request-headers.ts'
import { linksFor } from './response-headers.ts'
import { type Target, targetPath } from './target.ts'
import { type Agents, startTargetRequest, type Timeouts } from './target-request.ts'
import type { TargetReaction } from './target-response.ts'

/** The connections to targets. */
export interface Connections {
  readonly timeouts: Timeouts
  readonly agents: Agents
  /** Connections to one target for requests whose body has arrived, which are most. */
  readonly poolOf: (target: Target) => Dispatcher | undefined
  /** Called for a target whose responses such a pool takes for an error: it no longer gets a pool. */
  readonly withoutPool: (target: Target) => void
}

/** A running request to a target. */
export interface Asked {
  /** The requested path, without its query. */
  readonly path: string
  /** Rejects with an `UpstreamFailure`. */
  readonly reaction: Promise<TargetReaction>
  /** Ends it in any state. */
  readonly cancel: () => void
  /** To be called after the response. A target may respond before it has read everything; it gets no more then. */
  readonly finish: () => void
}

/** Sends a request to a target; with `ownConnection`, over a new connection. */
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
  const linkFor = (link: string | readonly string[] | undefined) =>
    link === undefined ? undefined : [link].flat().map((one) => linksFor(one, target, path, mapping))
  const inform = (status: number, link: string | readonly string[] | undefined) =>
    passInformation(status, linkFor(link), response)
  const pool = ownConnection || mayBeEndless(request) ? undefined : poolOf(target)
  const body = pool === undefined ? undefined : bodyThatIsThere(request, framing)
  if (pool !== undefined && body !== undefined) {
    const refuse = () => withoutPool(target)
    const { reaction, cancel } = startPooledRequest(asked, body, pool, { inform, refuse })
    return { path, reaction, cancel, finish: () => {} }
  }
  const started = startTargetRequest({ ...asked, ownConnection }, agents)
  const { outgoing } = started
  // The connection has been silent for long: before the response, it is the client that keeps the target waiting.
  outgoing.on('timeout', () => started.abort(request.complete ? 'answerTimeout' : 'requestTimeout'))
  outgoing.on('information', ({ statusCode, headers, httpVersion }) => {
    if (httpVersion === '1.1') inform(statusCode, headers.link)
  })
  if (framing.kind === 'none') outgoing.end()
  else sendBody(request, response, started.outgoing)
  const cancel = () => void outgoing.destroy()
  const finish = () => {
    if (!outgoing.writableFinished) outgoing.destroy()
  }
  return { path, reaction: started.reaction, cancel, finish }
}

/** The body of a request, null if it has none; undefined as long as it has not arrived completely. */
function bodyThatIsThere(request: IncomingMessage, framing: Framing): Buffer | null | undefined {
  if (framing.kind === 'none') return null
  if (framing.kind === 'chunks' || request.readableLength !== Number(framing.length)) return undefined
  return request.read() ?? undefined
}

/** Many long-lived streams would block other requests. */
function mayBeEndless(request: IncomingMessage): boolean {
  return upgradeOf(request) !== undefined || request.headers.accept === 'text/event-stream'
}

/** Passes `102 Processing` and `103 Early Hints` on. HTTP/1.0 does not have them. */
function passInformation(
  status: number,
  link: readonly string[] | undefined,
  response: ServerResponse,
): void {
  if (response.headersSent || response.req.httpVersion !== '1.1') return
  if (status === 102) response.writeProcessing()
  if (status === 103 && link !== undefined && isLink(link)) response.writeEarlyHints({ link: [...link] })
}

/** In the form that Node.js accepts; it throws for others. */
function isLink(links: readonly string[]): boolean {
  return links.every((value) => /^<[^>,]*>(;\s*\w+="?[\w./ -]*"?)*$/.test(value))
}
