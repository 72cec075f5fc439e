/**
 * One request to one target, until it answers, switches protocols or fails. The connection comes from a
 * pool of connections that are kept open.
 */
import { type Agent, type ClientRequest, type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps, type Agent as SecureAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { sendAnswerBody } from './client-exchange.ts'
import { headerListOf } from './header-list.ts'
import type { Target } from './target.ts'
import type { TargetAnswer, TargetReaction } from './target-answer.ts'
import { type FailureKind, UpstreamFailure } from './upstream-failure.ts'

/** How long a target may take, in milliseconds. */
export interface Timeouts {
  /** Until there is a connection. */
  readonly connect: number
  /** From the end of the request to the head of the answer. */
  readonly response: number
  /** Between one piece of a body and the next, in both directions. */
  readonly idle: number
}

/** The pools of connections. */
export interface Agents {
  readonly plain: Agent
  readonly secure: SecureAgent
  /** Resolves the names of targets; absent for the usual way. */
  readonly lookup?: LookupFunction
}

/** What a target is asked. */
export interface TargetRequest {
  readonly target: Target
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly timeouts: Timeouts
  /** A connection that served nobody before, and serves nobody after. */
  readonly ownConnection: boolean
}

/** A request that was begun. Its body is to be written to `outgoing`, and ended. */
export interface StartedRequest {
  readonly outgoing: ClientRequest
  /** Rejects with an `UpstreamFailure`. */
  readonly reaction: Promise<TargetReaction>
  /** Ends the request, whatever its state. */
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
    // While an answer is waited for, the limit on the answer decides.
    timeout: Math.max(timeouts.idle, timeouts.response + 1000),
  })
}

function answerOf(answer: IncomingMessage): TargetAnswer {
  return {
    status: answer.statusCode ?? 502,
    headers: headerListOf(answer.rawHeaders),
    sendBody: (response) => sendAnswerBody(answer, response),
    cancel: () => void answer.destroy(),
  }
}

/** A coding inside of the chunks would be taken for the body, since it is named for one connection only. */
function hasKnownCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
}
