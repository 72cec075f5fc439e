/** The statements that took long, by their texts; of the gateway process, until it ends or they are cleared. */
import type { Observer } from './events.ts'

/** A statement that took long at least once. */
interface SlowStatement {
  /** The text with its placeholders, never with values. */
  readonly sql: string
  /** What ran it: `GET /apis/ports`, `GraphQL Ports`; null for the gateway itself. */
  readonly cause: string | null
  /** How often it took long. */
  readonly count: number
  readonly totalMs: number
  /** Of the last 64 times. */
  readonly medianMs: number
  readonly maxMs: number
  /** The most rows that it gave or changed. */
  readonly rows: number
  /** In milliseconds since 1970. */
  readonly lastSeen: number
}

/** The slow statements of a process. */
export interface SlowStatements {
  readonly observe: Observer
  readonly thresholdMs: number
  /** Those that took longest in all come first. */
  list(): readonly SlowStatement[]
  /** Returns how many there were. */
  clear(): number
}

/** How many different statements are kept; then the one that was slow longest ago makes room. */
const most = 200
const keptDurations = 64
const longestText = 10_000

interface Entry {
  readonly sql: string
  readonly cause: string | null
  readonly durations: number[]
  count: number
  totalMs: number
  maxMs: number
  rows: number
  lastSeen: number
}

/** Keeps statements that took `thresholdMs` or longer. `now` is the time in milliseconds since 1970. */
export function createSlowStatements(thresholdMs: number, now: () => number = Date.now): SlowStatements {
  // In the order in which they were last slow.
  const entries = new Map<string, Entry>()

  function note(sql: string, cause: string | null, milliseconds: number, rows: number): void {
    const text = sql.length > longestText ? `${sql.slice(0, longestText)}…` : sql
    const key = `${cause}\n${text}`
    const entry = entries.get(key) ?? {
      ...{ sql: text, cause, durations: [], count: 0, totalMs: 0, maxMs: 0, rows: 0, lastSeen: 0 },
    }
    entry.durations[entry.count % keptDurations] = milliseconds
    entry.count += 1
    entry.totalMs += milliseconds
    entry.maxMs = Math.max(entry.maxMs, milliseconds)
    entry.rows = Math.max(entry.rows, rows)
    entry.lastSeen = now()
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > most && oldest !== undefined) entries.delete(oldest)
  }

  return {
    thresholdMs,
    observe(event) {
      if (event.kind !== 'StatementRun' || event.milliseconds < thresholdMs) return
      note(event.sql, event.cause ?? null, event.milliseconds, event.rows ?? 0)
    },
    list: () =>
      [...entries.values()]
        .map(({ durations, ...entry }) => ({ ...entry, medianMs: medianOf(durations) }))
        .sort((a, b) => b.totalMs - a.totalMs),
    clear() {
      const { size } = entries
      entries.clear()
      return size
    },
  }
}

function medianOf(durations: readonly number[]): number {
  const sorted = durations.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
