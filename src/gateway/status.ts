/** What runs here, and how it has been doing: of this node, which does not know the others. */
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Access } from '../access/access.ts'
import type { Database } from '../database/dialect.ts'
import {
  type Activity,
  type ActivityCounts,
  activityStepMs,
  type Durations,
  durationBoundsMs,
} from '../observe/activity.ts'
import type { Clock } from '../util/clock.ts'
import { inTime } from '../util/in-time.ts'
import type { SchemaService } from './serve-schema.ts'

/** Instead of a version: in tests, the program has none. */
export const unversioned = '0.0.0'

export interface StatusParts {
  readonly version: string | undefined
  readonly database: Database
  readonly storeDatabase: Database
  readonly access: Pick<Access, 'counts'>
  readonly schema: Pick<SchemaService, 'current' | 'readAt'>
  readonly activity: Activity
  readonly now: Clock
}

/** The status of a node. */
export interface Status {
  /** As `/manage/status` shows it. */
  show(): Promise<object>
  stop(): void
}

/** How long a database may take to say its version, in milliseconds; then it counts as unreachable. */
const databaseMs = 2000
const nanoseconds = 1_000_000

/** Begins to sample the state of the process. */
export function createStatus(parts: StatusParts): Status {
  const { version = unversioned, database, storeDatabase, access, schema, activity, now } = parts
  const started = now()
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  const timer = setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage()
    const { inUse, waiting } = database.driver.usage()
    activity.sample({
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      loopDelayMs: milliseconds(delays.max),
      connectionsInUse: inUse,
      connectionsWaiting: waiting,
    })
    delays.reset()
  }, activityStepMs).unref()

  return {
    async show() {
      const isSeparate = storeDatabase !== database
      const [shown, store] = await Promise.all([
        shownDatabase(database),
        isSeparate ? shownDatabase(storeDatabase) : undefined,
      ])
      const { snapshot, published, version: schemaVersion, entityCount } = schema.current()
      const readAt = schema.readAt()
      return {
        version,
        node: {
          name: hostname(),
          pid: process.pid,
          runtime: process.version,
          started: timeText(started),
          uptime_seconds: Math.round((now().getTime() - started.getTime()) / 1000),
        },
        database: shown,
        store: { separate: isSeparate, ...(store ?? shown) },
        counts: {
          tables: snapshot.model.entities.size,
          entities: entityCount,
          published_apis: published.size,
          ...(await access.counts()),
        },
        schema: {
          version: schemaVersion.text,
          read_at: timeText(readAt),
          age_seconds: Math.round((now().getTime() - readAt.getTime()) / 1000),
        },
        process: shownProcess(delays.max, delays.percentile(99)),
        activity: shownActivity(activity),
      }
    },
    stop() {
      clearInterval(timer)
      delays.disable()
    },
  }
}

async function shownDatabase({ dialect, driver }: Database) {
  let version: string | null = null
  const asked = driver
    .read((connection) => connection.query({ sql: dialect.versionQuery, parameters: [] }), {
      workload: 'records',
    })
    .then((rows) => {
      version = String(rows[0]?.[0])
    })
    // Not reachable: the version stays unknown.
    .catch(() => undefined)
  await inTime(asked, databaseMs)
  const { inUse, waiting, most } = driver.usage()
  return {
    product: dialect.product,
    version: version as string | null,
    reachable: version !== null,
    connections: { in_use: inUse, waiting, most },
  }
}

function shownProcess(maxDelay: number, p99Delay: number) {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  return {
    rss_bytes: rss,
    heap_used_bytes: heapUsed,
    heap_total_bytes: heapTotal,
    event_loop_delay_ms: { p99: milliseconds(p99Delay), max: milliseconds(maxDelay) },
  }
}

function shownActivity(activity: Activity) {
  const { steps, total, requestHistogram, statementHistogram } = activity.report()
  return {
    step_seconds: activityStepMs / 1000,
    duration_bounds_ms: durationBoundsMs,
    total: {
      ...shownCounts(total),
      request_histogram: requestHistogram,
      statement_histogram: statementHistogram,
    },
    steps: steps.map(({ start, sample, ...counts }) => ({
      at: timeText(new Date(start)),
      ...shownCounts(counts),
      sample: sample && {
        rss_bytes: sample.rssBytes,
        heap_used_bytes: sample.heapUsedBytes,
        event_loop_delay_ms: sample.loopDelayMs,
        connections_in_use: sample.connectionsInUse,
        connections_waiting: sample.connectionsWaiting,
      },
    })),
  }
}

function shownCounts(counts: ActivityCounts) {
  const [info, success, redirect, client, server] = counts.requests
  return {
    requests: { '1xx': info, '2xx': success, '3xx': redirect, '4xx': client, '5xx': server },
    request_ms: counts.requestMs as Durations | null,
    statements: counts.statements,
    statement_failures: counts.statementFailures,
    statement_ms: counts.statementMs as Durations | null,
    failures: counts.failures,
  }
}

function milliseconds(delay: number): number {
  return Number.isFinite(delay) ? Math.round((delay / nanoseconds) * 100) / 100 : 0
}

function timeText(time: Date): string {
  return time.toISOString().replace('Z', '+00:00')
}
