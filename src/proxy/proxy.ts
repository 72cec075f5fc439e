/**
 * A reverse proxy: forwards requests to the targets of a service, and their responses back, as streams. It knows no
 * accounts and no sessions; its user decides which headers a target gets and a client sees. The request never decides
 * where it goes: there is a fixed list of targets.
 */
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { performance } from 'node:perf_hooks'
import type { Pool } from 'undici'
import type { Connections } from './ask-target.ts'
import type { ClientExchange } from './client-exchange.ts'
import { EndlessStreams } from './endless-streams.ts'
import { type ForwardOutcome, type ForwardParts, forward } from './forward.ts'
import { type HealthCheck, watchHealth } from './health-check.ts'
import { openPool } from './pooled-request.ts'
import type { Target } from './target.ts'
import type { TargetGuard } from './target-guard.ts'
import { type TargetHealth, TargetPool } from './target-pool.ts'
import type { Timeouts } from './target-request.ts'

/** How a service is reached. */
export interface UpstreamSettings {
  readonly targets: readonly Target[]
  readonly timeouts: Timeouts
  readonly health?: HealthCheck
}

/** A service to which requests are forwarded. */
export interface Upstream {
  /**
   * Forwards a request. Resolves when the client has the whole response or is gone. Throws an error of the catalogue as
   * long as no response was sent: UPSTREAM_UNREACHABLE, UPSTREAM_BROKEN, UPSTREAM_TIMEOUT, …
   */
  forward(exchange: ClientExchange): Promise<ForwardOutcome>
  /** What is known of its targets. */
  health(): readonly TargetHealth[]
  /** Ends the health checks; running requests continue. */
  close(): void
}

export interface ReverseProxy {
  open(settings: UpstreamSettings, judged: (target: Target, judgement: 'up' | 'down') => void): Upstream
  /** Ends what never ends by itself, now and in the future: tunnels and event streams. Other responses continue. */
  endStreams(): void
  /** Closes the connections that are kept open. */
  close(): void
}

/** How long an idle connection is kept open, in milliseconds; shorter than most servers do. */
const keepOpenMs = 4000
const connectionsKeptPerTarget = 64

/** A proxy with its own connection pools. With a guard, names that resolve to refused addresses are unreachable. */
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
        health: () => pool.health(),
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
