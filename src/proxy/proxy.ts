/**
 * A reverse proxy: carries requests to the targets of a service, and their answers back, as streams. It
 * knows no accounts and no sessions; whoever uses it says which headers a target gets and a client sees.
 * Where a request goes is never decided by the request: there is a fixed list of targets.
 */
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { performance } from 'node:perf_hooks'
import type { Pool } from 'undici'
import type { Connections } from './ask-target.ts'
import { EndlessStreams } from './endless-streams.ts'
import { type ClientExchange, type ForwardOutcome, type ForwardParts, forward } from './forward.ts'
import { type HealthCheck, watchHealth } from './health-check.ts'
import { openPool } from './pooled-request.ts'
import type { Target } from './target.ts'
import type { TargetGuard } from './target-guard.ts'
import { TargetPool } from './target-pool.ts'
import type { Timeouts } from './target-request.ts'

/** How a service is reached. */
export interface UpstreamSettings {
  readonly targets: readonly Target[]
  readonly timeouts: Timeouts
  readonly health?: HealthCheck
}

/** A service that requests are carried to. */
export interface Upstream {
  /**
   * Answers a request. Done when the client has the whole answer or is gone. Throws an error of the
   * catalogue while nothing was answered yet: UPSTREAM_UNREACHABLE, UPSTREAM_BROKEN, UPSTREAM_TIMEOUT, …
   */
  forward(exchange: ClientExchange): Promise<ForwardOutcome>
  /** Ends the health checks; requests that are under way go on. */
  close(): void
}

export interface ReverseProxy {
  open(settings: UpstreamSettings, judged: (target: Target, judgement: 'up' | 'down') => void): Upstream
  /** Ends what has no end of its own, now and from now on: tunnels and event streams. Other answers go on. */
  endStreams(): void
  /** Closes the connections that are kept open. */
  close(): void
}

/** For how long a connection is kept open that serves nobody, in milliseconds; shorter than most servers do. */
const keepOpenMs = 4000
const connectionsKeptPerTarget = 64

/** A proxy with pools of connections of its own. With a guard, names that stand for what it refuses are unreachable. */
export function createReverseProxy(guard?: TargetGuard): ReverseProxy {
  const lookup = guard === undefined ? {} : { lookup: guard.lookup }
  const pooling = { keepAlive: true, timeout: keepOpenMs, maxFreeSockets: connectionsKeptPerTarget }
  const agents = { plain: new Agent(pooling), secure: new SecureAgent(pooling), ...lookup }
  const pools = new Set<Pool>()
  const streams = new EndlessStreams()
  const via = `gatehouse-${randomBytes(6).toString('hex')}`
  return {
    open({ targets, timeouts, health }, judged) {
      const pool = new TargetPool(targets, () => performance.now())
      const opened = new Map(
        targets.map((target) => [target, openPool(target, timeouts, { keepOpenMs, ...lookup })]),
      )
      const own = [...opened.values()]
      for (const connections of own) pools.add(connections)
      const connections: Connections = {
        timeouts,
        agents,
        poolOf: (target) => opened.get(target),
        withoutPool: (target) => opened.delete(target),
      }
      const parts: ForwardParts = { pool, connections, via, streams }
      const stop = health === undefined ? () => {} : watchHealth(pool, health, agents, judged)
      return {
        forward: (exchange) => forward(exchange, parts),
        close() {
          stop()
          for (const connections of own) {
            pools.delete(connections)
            connections.close().catch(() => {})
          }
        },
      }
    },
    endStreams() {
      streams.end()
    },
    close() {
      agents.plain.destroy()
      agents.secure.destroy()
      for (const connections of pools) connections.destroy().catch(() => {})
    },
  }
}
