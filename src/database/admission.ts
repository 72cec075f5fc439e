import type { CancellationToken } from '../util/cancellation-token.ts'
import { Semaphore } from '../util/semaphore.ts'
import { DatabaseError } from './database-error.ts'
import type { ReadLane } from './driver.ts'
import { Preemptible } from './preemptible.ts'

/** `tables` is for changes of tables, which may take long; nobody else waits for them. */
type Lane = ReadLane | 'changes' | 'tables'

/** How many callers may have a connection at the same time, by what they do. */
export type Places = Readonly<Record<Exclude<Lane, 'tables'>, number>>

/** For changes of tables. */
const tableConnections = 1

/** For clients that have no connection, while another one has all. */
const spare = { queries: 1, changes: 1 }

/** How many connections may be open beside those that are shared out. */
export const extraConnections = tableConnections + spare.queries + spare.changes

/** A client that waits may have the place of another one after this part of the time that it waits at most. */
const slicesOfWait = 3

type SparePlaces = Readonly<Record<keyof typeof spare, number>>

/** For how long at most others wait for a change of tables, in milliseconds, beside the time that they wait anyway. */
const tableChangeMs = 60_000

/** Shares the connections to a server: slow queries keep nobody from changing something or logging on. */
export function placesOf(connections: number): Places {
  const changes = Math.max(1, Math.floor(connections / 4))
  return { records: 1, changes, queries: Math.max(1, connections - changes - 1) }
}

type Work<Result> = (cancellation: CancellationToken | undefined) => Promise<Result>

/** Lets callers to a driver's connections, each kind in a lane of its own. */
export class Admission {
  readonly #lanes: Readonly<Record<Lane, Semaphore>>
  readonly #waitMs: number
  #running = 0
  /** Called when nothing runs any more. */
  #drained: (() => void) | undefined
  /** Table changes that hold up other changes, and when the last one ended, by `performance.now`. */
  #tableChanges = 0
  #tablesChangedAt = Number.NEGATIVE_INFINITY
  #closed = false

  /**
   * `waitMs` is how long a caller waits for a place. `spares` are places beside the others, for clients that have none: one
   * client that has all others keeps nobody else waiting. Where several clients have all, work of theirs is ended for those
   * that have none (`Preemption`).
   */
  constructor({ queries, changes, records }: Places, waitMs: number, spares: SparePlaces = spare) {
    this.#lanes = {
      queries: new Semaphore(queries + spares.queries, spares.queries),
      changes: new Semaphore(changes + spares.changes, spares.changes),
      records: new Semaphore(records),
      tables: new Semaphore(tableConnections),
    }
    this.#waitMs = waitMs
  }

  /** Runs `work` that needs no place, as long as the connections are not closed. */
  pass<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#closed ? Promise.reject(closed()) : this.track(work())
  }

  /**
   * Runs `work` when its lane has a place; throws `DatabaseError` when there is none in time. Queries of clients are given
   * who waits for them from then on: they end as well when others need their place.
   */
  run<Result>(lane: Lane, cancellation: CancellationToken | undefined, work: Work<Result>): Promise<Result> {
    return this.#closed ? Promise.reject(closed()) : this.runInside(lane, cancellation, work)
  }

  /** The same for work that was let in by `pass`. */
  runInside<Result>(
    lane: Lane,
    cancellation: CancellationToken | undefined,
    work: Work<Result>,
  ): Promise<Result> {
    const moreMs = lane === 'changes' ? (since: number) => this.#moreMs(since) : () => 0
    const preemptible =
      lane === 'queries' && cancellation !== undefined ? new Preemptible(cancellation) : undefined
    const preemption = preemptible && {
      afterMs: this.#waitMs / slicesOfWait,
      end: () => preemptible.preempt(),
    }
    const waitLimits = { waitMs: this.#waitMs, cancellation, refuse, moreMs, preemption }
    return this.track(this.#lanes[lane].run(() => work(preemptible ?? cancellation), waitLimits))
  }

  /**
   * Runs a change of tables that everybody waits for who changes something. The time that it takes does not count as
   * theirs, for up to a minute.
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
   * Counts something as running that nobody waits for. Only counts: in a set that is never empty for long, answers would
   * be found by the garbage collector long after nobody needs them.
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

  /** Lets nobody in any more, and waits for all that are in. */
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
    : new DatabaseError('abandoned', 'Nobody waits for a database connection any more.')
}
