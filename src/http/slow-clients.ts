/** Ends the patience with clients that keep a connection and a request busy by sending or taking next to nothing. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** How long a client may take to send something, in milliseconds. */
export interface Patience {
  /** The head of a request, and between two requests on one connection. */
  readonly head: number
  /** A body that is read here; one that is forwarded has limits of its own. */
  readonly body: number
  /** To take any more of an answer that is complete. */
  readonly answer: number
}

/** How often is looked after clients at least, in milliseconds: they may take so much longer. */
const lookMs = 1000

/** A request that is not answered wholly yet. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The reply that waits for the body of the request. */
  awaiting: FastifyReply | undefined
  /** Since when it is seen to wait, by `performance.now`. */
  since: number | undefined
  isTakingLimited: boolean
}

const currentExchange = Symbol('current exchange')

type ServedSocket = Socket & { [currentExchange]?: Exchange | undefined }

/**
 * Looks after the clients of one server now and then: a timer and listeners for each request would be a good part of
 * what a short one costs.
 */
export class SlowClients {
  readonly #patience: Patience
  readonly #refuseBody: (reply: FastifyReply) => void
  readonly #connections = new Set<ServedSocket>()

  /** `refuseBody` answers a request whose body does not come in time. */
  constructor(patience: Patience, refuseBody: (reply: FastifyReply) => void) {
    this.#patience = patience
    this.#refuseBody = refuseBody
  }

  /** Looks after the clients of a server, until it is closed. */
  watch(server: Server): void {
    server.on('connection', (socket: ServedSocket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
    const { body, answer } = this.#patience
    const timer = setInterval(() => this.#look(), Math.min(lookMs, body, answer)).unref()
    server.on('close', () => clearInterval(timer))
  }

  /** A request begins to be answered. */
  begun(request: IncomingMessage, response: ServerResponse): void {
    const socket: ServedSocket = request.socket
    socket[currentExchange] = {
      request,
      response,
      awaiting: undefined,
      since: undefined,
      isTakingLimited: false,
    }
  }

  /** Its answer is sent. Gives whether `begun` was told of it. */
  ended(request: IncomingMessage): boolean {
    const socket: ServedSocket = request.socket
    if (socket[currentExchange]?.request !== request) return false
    socket[currentExchange] = undefined
    return true
  }

  /** The body of a request is read from now on. */
  awaitBody(request: IncomingMessage, reply: FastifyReply): void {
    const { [currentExchange]: exchange }: ServedSocket = request.socket
    if (exchange?.request === request) exchange.awaiting = reply
  }

  #look(): void {
    const now = performance.now()
    for (const socket of this.#connections) {
      const exchange = socket[currentExchange]
      if (exchange === undefined) continue
      this.#lookAfterBody(exchange, now)
      if (exchange.response.writableEnded && socket.writableLength > 0) this.#limitTaking(exchange)
    }
  }

  #lookAfterBody(exchange: Exchange, now: number): void {
    const { awaiting, request } = exchange
    if (awaiting === undefined || request.complete) return
    exchange.since ??= now
    if (now - exchange.since < this.#patience.body) return
    exchange.awaiting = undefined
    this.#refuseBody(awaiting)
  }

  /** A timeout without a listener ends the connection; once all is sent, that of the connection holds again. */
  #limitTaking(exchange: Exchange): void {
    if (exchange.isTakingLimited) return
    exchange.isTakingLimited = true
    exchange.response.setTimeout(this.#patience.answer)
  }
}
