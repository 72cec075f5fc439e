import type { ApiRoute } from '../access/authorization/api-route.ts'
import { defaultTimeout } from '../access/authorization/upstream-settings.ts'
import type { Observer } from '../observe/events.ts'
import type { ReverseProxy, Upstream, UpstreamSettings } from '../proxy/proxy.ts'
import { parseTarget } from '../proxy/target.ts'
import type { TargetGuard } from '../proxy/target-guard.ts'
import type { TargetHealth } from '../proxy/target-pool.ts'

/** The upstream APIs that API routes lead to. The state of their targets outlives changes of other records. */
export interface Upstreams {
  /** Opens the new ones in a list of all routes, and closes removed ones. */
  follow(routes: readonly ApiRoute[]): void
  /** Undefined for a route without an upstream. */
  of(route: ApiRoute): Upstream | undefined
  /** What this node knows of the targets of a route; empty for a route without an upstream. */
  healthOf(route: ApiRoute): readonly TargetHealth[]
  /** Closes all, for good: a reading of the routes that ends later opens none. */
  close(): void
}

/** The upstream APIs of a proxy. */
export function createUpstreams(
  proxy: ReverseProxy,
  guard: Pick<TargetGuard, 'refuses'>,
  observe: Observer,
): Upstreams {
  let upstreams: ReadonlyMap<string, Upstream> = new Map()
  let isClosed = false

  function follow(routes: readonly ApiRoute[]): void {
    if (isClosed) return
    const next = new Map<string, Upstream>()
    for (const route of routes) {
      const key = keyOf(route)
      if (route.target === undefined || next.has(key)) continue
      const upstream =
        upstreams.get(key) ??
        proxy.open(upstreamSettings(route, guard), (target, judgement) =>
          observe({ kind: 'TargetJudged', target: target.origin + target.basePath, judgement }),
        )
      next.set(key, upstream)
    }
    for (const [key, upstream] of upstreams) if (!next.has(key)) upstream.close()
    upstreams = next
  }

  return {
    follow,
    of: (route) => upstreams.get(keyOf(route)),
    healthOf: (route) => upstreams.get(keyOf(route))?.health() ?? [],
    close() {
      follow([])
      isClosed = true
    },
  }
}

/** Routes with the same targets and settings share their state. */
function keyOf({ target, timeout, health }: ApiRoute): string {
  return JSON.stringify([target, timeout, health])
}

function upstreamSettings(
  { target = [], timeout = defaultTimeout, health }: ApiRoute,
  guard: Pick<TargetGuard, 'refuses'>,
): UpstreamSettings {
  const targets = [target].flat().map(parseTarget)
  const { connect, response, idle } = timeout
  return {
    // A stored target was validated before; one that is invalid now, or blocked since, is ignored.
    targets: targets.flatMap((read) => ('mistake' in read || guard.refuses(read.hostname) ? [] : [read])),
    timeouts: { connect: connect * 1000, response: response * 1000, idle: idle * 1000 },
    ...(health && {
      health: {
        path: health.path,
        intervalMs: health.interval * 1000,
        timeoutMs: health.timeout * 1000,
        threshold: health.threshold,
      },
    }),
  }
}
