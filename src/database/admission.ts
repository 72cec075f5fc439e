import type { CancellationToken } from '../util/cancellation-token.ts'
import { Semaphore } from '../util/semaphore.ts'
import { DatabaseError } from './database-error.ts'
import type { ConnectionUsage, ReadWorkload } from './driver.ts'
import { Preemptible } from './preemptible.ts'

/**
 * `tables` is for changes of tables, which may take long; no other workload waits for them. `grouped` is for changes that share connections:
 * they have none of their own.
 */
type Workload = ReadWorkload | 'changes' | 'tables' | 'grouped'

/** How many callers may have a connection at the same time, by kind of work. */
export type Places = Readonly<Record<Exclude<Workload, 'tables' | 'grouped'>, number>>

/** How many changes that share connections are admitted. */
const mostGrouped = 32

/** For changes of tables. */
const tableConnections = 1

/** For clients without a connection, while another client has all of them. */
const spare = { queries: 1, changes: 1 }

/** How many connections may be open in addition to those that are divided among workloads. */
export const extraConnections = tableConnections + spare.queries + spare.changes

/** After this fraction of its longest wait, a waiting client may preempt another one. */
const slicesOfWait = 3

type SparePlaces = Readonly<Record<keyof typeof spare, number>>

/** How long other callers wait at most for a change of tables, in milliseconds, in addition to their usual wait. */
const tableChangeMs = 60_000

/**
 * Divides the connections to a server, so that slow queries do not block changes or logons. Changes have many, since most of their time
 * they wait for the disk, which takes several commits at once.
 */
export function placesOf(connections: number): Places {
  const changes = Math.max(1, Math.floor((connections - 1) / 2))
  return { records: 1, changes, queries: Math.max(1, connections - changes - 1) }
}

type Work<Result> = (cancellation: CancellationToken | undefined) => Promise<Result>

/** Admits callers to the connections of a driver, with a semaphore for each workload. */
export class Admission {
  readonly #semaphores: Readonly<Record<Workload, Semaphore>>
  readonly #waitMs: number
  #running = 0
  /** Called when nothing runs any more. */
  #drained: (() => void) | undefined
  /** Table changes that block other changes, and when the last one ended, by `performance.now`. */
  #tableChanges = 0
  #tablesChangedAt = Number.NEGATIVE_INFINITY
  #closed = false

  /**
   * `waitMs` is how long a caller waits for a connection. `spares` are extra connections for clients that have none,
   * so that a client that uses all others does not block anyone. If several clients use all of them, their work is
   * preempted for clients that have none (`Preemption`).
   */
  constructor({ queries, changes, records }: Places, waitMs: number, spares: SparePlaces = spare) {
    this.#semaphores = {
      queries: new Semaphore(queries + spares.queries, spares.queries),
      changes: new Semaphore(changes + spares.changes, spares.changes),
      records: new Semaphore(records),
      tables: new Semaphore(tableConnections),
      grouped: new Semaphore(mostGrouped + spares.changes, spares.changes),
    }
    this.#waitMs = waitMs
  }

  /** Runs `work` that needs no connection, unless the connections are closed. */
  pass<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#closed ? Promise.reject(closed()) : this.track(work())
  }

  /**
   * Runs `work` when its workload has a free connection; throws `DatabaseError` if there is none in time. Queries of
   * clients get another cancellation token, which also ends them when others need their connection.
   */
  run<Result>(
    workload: Workload,
    cancellation: CancellationToken | undefined,
    work: Work<Result>,
  ): Promise<Result> {
    return this.#closed ? Promise.reject(closed()) : this.runInside(workload, cancellation, work)
  }

  /** The same for work admitted by `pass`, or by `run` to places without connections. It has waited since `since`, by `performance.now`. */
  runInside<Result>(
    workload: Workload,
    cancellation: CancellationToken | undefined,
    work: Work<Result>,
    since?: number,
  ): Promise<Result> {
    if (cancellation?.isCancelled) return Promise.reject(refuse('aborted'))
    const isChange = workload === 'changes' || workload === 'grouped'
    const moreMs = isChange ? (waitingSince: number) => this.#moreMs(since ?? waitingSince) : () => 0
    const preemptible =
      workload === 'queries' && cancellation !== undefined ? new Preemptible(cancellation) : undefined
    const preemption = preemptible && {
      afterMs: this.#waitMs / slicesOfWait,
      end: () => preemptible.preempt(),
    }
    const waitMs = this.#waitMs - (since === undefined ? 0 : performance.now() - since)
    const waitLimits = { waitMs, cancellation, refuse, moreMs, preemption }
    return this.track(this.#semaphores[workload].run(() => work(preemptible ?? cancellation), waitLimits))
  }

  /**
   * Runs a change of tables, for which all writers wait. Its time does not count as their waiting time, for up to a
   * minute.
   */
  runTableChange<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.run('changes', undefined, async () => {
      this.#tableChanges += 1
      try {
        return await work()
      } finally {
        this.#tableChanges -= 1
        this.#tablesChangedAt = performance.now()
      }
    })
  }

  #moreMs(since: number): number {
    const now = performance.now()
    const begun = Math.max(since, this.#tableChanges > 0 ? now : this.#tablesChangedAt)
    return Math.min(begun + this.#waitMs, since + this.#waitMs + tableChangeMs) - now
  }

  /**
   * Counts work as running that has no caller waiting. It only counts: a set that is rarely empty would keep results
   * from being garbage-collected.
   */
  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#running += 1
    const done = () => {
      this.#running -= 1
      if (this.#running === 0) this.#drained?.()
    }
    work.then(done, done)
    return work
  }

  /** The connections of all workloads. */
  usage(): ConnectionUsage {
    const { grouped, ...connections } = this.#semaphores
    const sum = (part: (semaphore: Semaphore) => number) =>
      Object.values(connections).reduce((all, semaphore) => all + part(semaphore), 0)
    return {
      inUse: sum(({ taken }) => taken),
      waiting: sum(({ waiting }) => waiting) + grouped.waiting,
      most: sum(({ slots }) => slots),
    }
  }

  /** Admits no more callers, and waits for the running ones. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
  }
}

function closed(): DatabaseError {
  return new DatabaseError('unavailable', 'The database connection has ended.')
}

function refuse(reason: 'late' | 'aborted'): DatabaseError {
  return reason === 'late'
    ? new DatabaseError('noConnection', 'All database connections are in use.')
    : new DatabaseError('abandoned', 'No one waits for a database connection any more.')
}
