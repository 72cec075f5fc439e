/** One request to one target, until it responds, switches protocols or fails. The connection comes from a pool. */
import { type Agent, type ClientRequest, type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps, type Agent as SecureAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { sendResponseBody } from './client-exchange.ts'
import { headerListOf } from './header-list.ts'
import type { Target } from './target.ts'
import type { TargetReaction, TargetResponse } from './target-response.ts'
import { type FailureKind, UpstreamFailure } from './upstream-failure.ts'

/** Time-outs for a target, in milliseconds. */
export interface Timeouts {
  /** Until there is a connection. */
  readonly connect: number
  /** From the end of the request to the head of the response. */
  readonly response: number
  /** Between one piece of a body and the next, in both directions. */
  readonly idle: number
}

/** The pools of connections. */
export interface Agents {
  readonly plain: Agent
  readonly secure: SecureAgent
  /** Resolves the names of targets; absent for the default. */
  readonly lookup?: LookupFunction
}

/** A request to a target. */
export interface TargetRequest {
  readonly target: Target
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly timeouts: Timeouts
  /** Uses a new connection, and closes it afterwards. */
  readonly ownConnection: boolean
}

/** A started request. Its body is to be written to `outgoing`, and ended. */
export interface StartedRequest {
  readonly outgoing: ClientRequest
  /** Rejects with an `UpstreamFailure`. */
  readonly reaction: Promise<TargetReaction>
  /** Ends the request in any state. */
  abort(kind: FailureKind): void
}

/** Begins a request to a target. */
export function startTargetRequest(asked: TargetRequest, agents: Agents): StartedRequest {
  const { target, timeouts } = asked
  const outgoing = openRequest(asked, agents)
  const { promise, resolve, reject } = Promise.withResolvers<TargetReaction>()
  let state: 'connecting' | 'connected' | 'settled' = 'connecting'
  let timer: NodeJS.Timeout | undefined

  const limit = (milliseconds: number, kind: FailureKind) => {
    clearTimeout(timer)
    timer = setTimeout(() => abort(kind), milliseconds)
  }
  const settle = (reaction: TargetReaction) => {
    state = 'settled'
    clearTimeout(timer)
    resolve(reaction)
  }
  const fail = (kind: FailureKind, cause?: unknown) => {
    if (state === 'settled') return
    state = 'settled'
    clearTimeout(timer)
    const isOfReusedConnection = outgoing.reusedSocket && kind === 'broken'
    reject(new UpstreamFailure(kind, target.origin, { cause, isOfReusedConnection }))
  }
  const abort = (kind: FailureKind) => {
    fail(kind)
    outgoing.destroy()
  }
  const connected = () => {
    if (state === 'settled') return
    state = 'connected'
    clearTimeout(timer)
    if (outgoing.writableFinished) awaitAnswer()
  }
  const awaitAnswer = () => {
    if (state === 'connected') limit(timeouts.response, 'answerTimeout')
  }

  outgoing.on('socket', (socket) => {
    if (outgoing.reusedSocket) connected()
    if (state !== 'connecting') return
    limit(timeouts.connect, 'connectTimeout')
    socket.once(target.secure ? 'secureConnect' : 'connect', connected)
  })
  outgoing.on('finish', awaitAnswer)
  outgoing.on('response', (answer) =>
    hasKnownCoding(answer) ? settle({ kind: 'answer', answer: answerOf(answer) }) : abort('broken'),
  )
  outgoing.on('upgrade', ({ rawHeaders }, socket, head) =>
    settle({ kind: 'switch', headers: headerListOf(rawHeaders), socket, head }),
  )
  const ended = (cause?: unknown) => fail(state === 'connecting' ? 'unreachable' : 'broken', cause)
  outgoing.on('error', ended)
  outgoing.on('close', ended)
  return { outgoing, reaction: promise, abort }
}

function openRequest(
  { target, method, path, headers, timeouts, ownConnection }: TargetRequest,
  agents: Agents,
): ClientRequest {
  const request = target.secure ? requestByHttps : requestByHttp
  const agent = target.secure ? agents.secure : agents.plain
  return request({
    host: target.hostname,
    port: target.port,
    method,
    path,
    headers,
    agent: ownConnection ? false : agent,
    ...(agents.lookup === undefined ? {} : { lookup: agents.lookup }),
    // While waiting for the response, the response time-out decides.
    timeout: Math.max(timeouts.idle, timeouts.response + 1000),
  })
}

function answerOf(answer: IncomingMessage): TargetResponse {
  return {
    status: answer.statusCode ?? 502,
    headers: headerListOf(answer.rawHeaders),
    sendBody: (response) => sendResponseBody(answer, response),
    cancel: () => void answer.destroy(),
  }
}

/** A coding within the chunks would be mistaken for the body, since its header is for one connection only. */
function hasKnownCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
}
