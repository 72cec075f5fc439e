/**
 * The connections of one server: how many there are, time-outs for slow clients, and how they end when the server stops.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** Time-outs for clients, in milliseconds. */
export interface ClientTimeouts {
  /** The head of a request. */
  readonly head: number
  /** A body that is read here; a forwarded one has other limits. */
  readonly body: number
  /** To read more of a response. */
  readonly answer: number
  /** To send another request on its connection. */
  readonly keepAlive: number
}

/** How often connections are checked, in milliseconds: time-outs may be late by this much. */
const checkMs = 1000
/** How often while the server stops. */
const endingCheckMs = 100
/** After this many checks without a request a connection may be replaced by a new one, if there are too many. */
const idleChecks = 2
/** How long a connection must be idle, in milliseconds, to be closed while the server stops. */
const shortestQuietMs = 500
const longestQuietMs = 2000
/** How long stopping waits at most for a pause without a new connection, and how long that pause is, in milliseconds. */
const settlingMs = 1000
const pauseMs = 1
/** Connections beyond the limit that still get a response: 503, or that of a health check. */
const spareConnections = 32

/** A request whose response is not complete. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The reply that waits for the body of the request. */
  awaiting: FastifyReply | undefined
  /** Since when it has waited (`performance.now`). */
  since: number | undefined
  isTakingLimited: boolean
}

const currentExchange = Symbol('current exchange')
const checksWithoutRequest = Symbol('checks without request')
const isUpgraded = Symbol('is upgraded')
const isBeyondLimit = Symbol('is beyond limit')

type ServedSocket = Socket & {
  [currentExchange]?: Exchange | undefined
  /** How many checks in a row found it without a request. */
  [checksWithoutRequest]?: number
  /** It was handed over with a request: the server of Node.js no longer knows it. */
  [isUpgraded]?: boolean
  [isBeyondLimit]?: boolean
}

export interface ClientConnectionsOptions {
  readonly timeouts: ClientTimeouts
  readonly maxConnections: number
  /** Refuses a request whose body does not arrive in time. */
  readonly refuseBody: (reply: FastifyReply) => void
}

/**
 * Checks all connections periodically: a timer and listeners for each request would be a large part of the cost of a
 * short one.
 */
export class ClientConnections {
  readonly #options: ClientConnectionsOptions
  readonly #sockets = new Set<ServedSocket>()
  readonly #servers = new Set<Server>()
  #ending: Promise<void> | undefined
  /** The number of connections so far. */
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
    // This class decides how idle connections end.
    server.closeIdleConnections = () => {}
  }

  /** To be called when a request arrives. */
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

  /** The same for a request on a connection that was handed over with it. */
  begunOnUpgrade(request: IncomingMessage, response: ServerResponse): void {
    const socket: ServedSocket = request.socket
    socket[isUpgraded] = true
    this.begun(request, response)
  }

  /** To be called when its response is sent. Returns whether the connection can take another request. */
  ended(request: IncomingMessage): boolean {
    const socket: ServedSocket = request.socket
    if (socket[currentExchange]?.request !== request) return false
    socket[currentExchange] = undefined
    return socket[isUpgraded] !== true
  }

  /** To be called when the server starts to read the body of a request. */
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
   * Accepts no more connections, and closes each one after its response, which says so. Idle connections are closed at
   * once. Resolves when all are closed.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end(0)
    return this.#ending
  }

  /**
   * The same, but idle connections are closed only after some time without a request: a load balancer may be just about
   * to send one. This time is as long as requests were accepted after the server was asked to stop, within limits.
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
    // Requests that have arrived are read before idle connections are closed.
    const timer = setInterval(() => setImmediate(() => this.#closeIdle(checks)), endingCheckMs)
    await Promise.all(closed)
    clearInterval(timer)
  }

  /**
   * Closing the port would reset connections that the system has accepted but Node.js has not read yet: waits for a pause
   * without new ones. A round of the event loop with much other work does not count, since connections may have come
   * unseen.
   */
  async #noConnectionComes(): Promise<void> {
    const last = performance.now() + settlingMs
    let before: number
    let since: number
    do {
      before = this.#taken
      since = performance.now()
      await nextRound()
    } while ((before !== this.#taken || performance.now() - since > pauseMs) && performance.now() < last)
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

  /** Closes the connection that has been idle longest, and for at least a second. */
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
   * Limits how long a client may read nothing of a response. A time-out without a listener closes the connection; once
   * all is sent, the connection's own applies again. A response that is not finished may have nothing to send for any
   * time.
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

/** Whether a connection has no running request. */
function isWaiting(socket: ServedSocket): boolean {
  if (socket[isUpgraded] === true) return false
  const exchange = socket[currentExchange]
  return exchange === undefined || (exchange.response.writableFinished && exchange.request.complete)
}

/** Makes a response the last one of its connection, in place of the one before it that is not sent yet. */
function endAfter(response: ServerResponse, before: Exchange | undefined): void {
  response.shouldKeepAlive = false
  if (before !== undefined && !before.response.headersSent) before.response.shouldKeepAlive = true
}
