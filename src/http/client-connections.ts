/**
 * The connections of one server: how many there are, how long clients may keep them busy by sending or taking next to
 * nothing, and how they end when the server does.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** How long a client may take to send or take something, in milliseconds. */
export interface ClientTimeouts {
  /** The head of a request. */
  readonly head: number
  /** A body that is read here; one that is forwarded has limits of its own. */
  readonly body: number
  /** To take any more of an answer. */
  readonly answer: number
  /** To begin another request on its connection. */
  readonly keepAlive: number
}

/** How often connections are checked at least, in milliseconds: clients may take so much longer. */
const checkMs = 1000
/** How often while the server ends. */
const endingCheckMs = 100
/** After so many checks without a request a connection gives way to a new one, when there are too many. */
const idleChecks = 2
/** For how long no request has come, in milliseconds, on a connection that is closed while the server ends. */
const shortestQuietMs = 500
const longestQuietMs = 2000
/** How long the end waits for a moment without a new connection at most, and how short that moment is, in milliseconds. */
const settlingMs = 1000
const momentMs = 1
/** Connections beyond the limit that are answered: that there are too many, or by an open endpoint. */
const spareConnections = 32

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
const checksWithoutRequest = Symbol('checks without request')
const isUpgraded = Symbol('is upgraded')
const isBeyondLimit = Symbol('is beyond limit')

type ServedSocket = Socket & {
  [currentExchange]?: Exchange | undefined
  /** How often it was seen without a request since the last one. */
  [checksWithoutRequest]?: number
  /** It was handed over with a request: the server of Node.js does not know it any more. */
  [isUpgraded]?: boolean
  [isBeyondLimit]?: boolean
}

export interface ClientConnectionsOptions {
  readonly timeouts: ClientTimeouts
  readonly maxConnections: number
  /** Answers a request whose body does not come in time. */
  readonly refuseBody: (reply: FastifyReply) => void
}

/** Checks all connections now and then: a timer and listeners for each request would be a good part of what a short one costs. */
export class ClientConnections {
  readonly #options: ClientConnectionsOptions
  readonly #sockets = new Set<ServedSocket>()
  readonly #servers = new Set<Server>()
  #ending: Promise<void> | undefined
  /** How many connections have come so far. */
  #taken = 0

  constructor(options: ClientConnectionsOptions) {
    this.#options = options
  }

  /** Watches the connections of a server until it is closed. */
  watch(server: Server): void {
    server.on('connection', (socket: ServedSocket) => this.#take(socket))
    const { body, answer } = this.#options.timeouts
    const timer = setInterval(() => this.#check(), Math.min(checkMs, body, answer)).unref()
    server.on('listening', () => this.#servers.add(server))
    server.on('close', () => {
      this.#servers.delete(server)
      clearInterval(timer)
    })
    // How idle connections end is decided here.
    server.closeIdleConnections = () => {}
  }

  /** A request begins to be answered. */
  begun(request: IncomingMessage, response: ServerResponse): void {
    const socket: ServedSocket = request.socket
    if (this.#ending !== undefined) endAfter(response, socket[currentExchange])
    socket[checksWithoutRequest] = 0
    socket[currentExchange] = {
      request,
      response,
      awaiting: undefined,
      since: undefined,
      isTakingLimited: false,
    }
  }

  /** A request is about to be answered on a connection that was handed over with it. */
  begunOnUpgrade(request: IncomingMessage, response: ServerResponse): void {
    const socket: ServedSocket = request.socket
    socket[isUpgraded] = true
    this.begun(request, response)
  }

  /** Its answer is sent. Gives whether the connection can take another request. */
  ended(request: IncomingMessage): boolean {
    const socket: ServedSocket = request.socket
    if (socket[currentExchange]?.request !== request) return false
    socket[currentExchange] = undefined
    return socket[isUpgraded] !== true
  }

  /** The body of a request is read from now on. */
  awaitBody(request: IncomingMessage, reply: FastifyReply): void {
    const exchange = this.#exchangeOf(request.socket)
    if (exchange?.request === request) exchange.awaiting = reply
  }

  /** Whether there are too many connections for this one to be served. */
  isBeyondLimit({ socket }: IncomingMessage): boolean {
    return (socket as ServedSocket)[isBeyondLimit] === true
  }

  /** The response that is being sent on a connection, or will be. */
  responseOn(socket: Socket): ServerResponse | undefined {
    const exchange = this.#exchangeOf(socket)
    return exchange?.response.writableFinished === false ? exchange.response : undefined
  }

  /**
   * Takes no more connections, and ends each one after its answer, which says so. Connections without a request are
   * closed at once. Done when all are closed.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end(0)
    return this.#ending
  }

  /**
   * The same, but connections without a request are closed when none has come for a while: a load balancer that had no time
   * for it may only now be sending one on a connection that it keeps. The while is as long as requests were taken after the
   * server was asked to end, within bounds.
   */
  endQuietly(delayedMs: number): Promise<void> {
    const quietMs = Math.min(Math.max(delayedMs, shortestQuietMs), longestQuietMs)
    this.#ending ??= this.#end(Math.ceil(quietMs / endingCheckMs))
    return this.#ending
  }

  async #end(checks: number): Promise<void> {
    for (const socket of this.#sockets) {
      const exchange = socket[currentExchange]
      if (exchange !== undefined) exchange.response.shouldKeepAlive = false
      socket[checksWithoutRequest] = 0
    }
    await this.#noConnectionComes()
    const closed = [...this.#servers].map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    )
    this.#closeIdle(checks)
    // What has come meanwhile is read before the connections without a request are closed.
    const timer = setInterval(() => setImmediate(() => this.#closeIdle(checks)), endingCheckMs)
    await Promise.all(closed)
    clearInterval(timer)
  }

  /**
   * Connections that the system has taken and that are not read yet would be reset with the port: waits for a moment without.
   * A round in which much else was done is none: connections may have come behind the look at them.
   */
  async #noConnectionComes(): Promise<void> {
    const last = performance.now() + settlingMs
    let before: number
    let since: number
    do {
      before = this.#taken
      since = performance.now()
      await nextRound()
    } while ((before !== this.#taken || performance.now() - since > momentMs) && performance.now() < last)
  }

  #closeIdle(checks: number): void {
    for (const socket of this.#sockets) {
      const own = socket[checksWithoutRequest] ?? 0
      if (isWaiting(socket) && own >= checks) socket.destroy()
      else socket[checksWithoutRequest] = own + 1
    }
  }

  #exchangeOf(socket: ServedSocket): Exchange | undefined {
    return socket[currentExchange]
  }

  #take(socket: ServedSocket): void {
    this.#taken += 1
    const { maxConnections } = this.#options
    if (this.#sockets.size >= maxConnections && !this.#closeIdleOne()) {
      if (this.#sockets.size >= maxConnections + spareConnections) {
        socket.destroy()
        return
      }
      socket[isBeyondLimit] = true
    }
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** Closes the connection that was without a request for the longest time, and for a second at least. */
  #closeIdleOne(): boolean {
    let longest: ServedSocket | undefined
    let checks = idleChecks - 1
    for (const socket of this.#sockets) {
      const own = socket[checksWithoutRequest] ?? 0
      if (own <= checks || !isWaiting(socket)) continue
      longest = socket
      checks = own
    }
    longest?.destroy()
    return longest !== undefined
  }

  #check(): void {
    const now = performance.now()
    for (const socket of this.#sockets) {
      const exchange = socket[currentExchange]
      if (isWaiting(socket)) socket[checksWithoutRequest] = (socket[checksWithoutRequest] ?? 0) + 1
      if (exchange === undefined) continue
      this.#checkBody(exchange, now)
      this.#checkTaking(exchange, socket)
    }
  }

  #checkBody(exchange: Exchange, now: number): void {
    const { awaiting, request } = exchange
    if (awaiting === undefined || request.complete) return
    exchange.since ??= now
    if (now - exchange.since < this.#options.timeouts.body) return
    exchange.awaiting = undefined
    this.#options.refuseBody(awaiting)
  }

  /**
   * Limits how long nothing of an answer is taken. A timeout without a listener ends the connection; once all is sent,
   * that of the connection holds again. An answer that goes on may have nothing to send for as long as it likes.
   */
  #checkTaking(exchange: Exchange, socket: ServedSocket): void {
    const { response } = exchange
    const isTaking = socket.writableLength > 0
    if (isTaking === exchange.isTakingLimited) return
    if (!isTaking && response.writableEnded) return
    exchange.isTakingLimited = isTaking
    response.setTimeout(isTaking ? this.#options.timeouts.answer : 0)
  }
}

/** Whether a connection has no request that is being answered. */
function isWaiting(socket: ServedSocket): boolean {
  if (socket[isUpgraded] === true) return false
  const exchange = socket[currentExchange]
  return exchange === undefined || (exchange.response.writableFinished && exchange.request.complete)
}

/** Makes an answer the last one of its connection, in place of the one before it that is not sent yet. */
function endAfter(response: ServerResponse, before: Exchange | undefined): void {
  response.shouldKeepAlive = false
  if (before !== undefined && !before.response.headersSent) before.response.shouldKeepAlive = true
}
