/**
 * Group commit: writes of single records that come at the same time are one transaction.
 *
 * Promise: each write gets the results that it would get in a transaction of its own, and what it changed is durable then. If the server
 * refuses a group, it keeps nothing of it, and each write is carried out alone: none fails because of another. Nobody waits for a write
 * that is slow, large or locked out for more than 50 ms, and then only once in ten seconds.
 * Gain: less processor time for each write in the gateway and in the database, and one flush of the log for many writes;
 * `npm run bench relations-and-writes` measures it.
 * Off: `db_fast_reads: false`.
 */
import type { CancellationToken } from '../../util/cancellation-token.ts'
import type { Admission } from '../admission.ts'
import { DatabaseError } from '../database-error.ts'
import type { Statement, StatementResult } from '../driver.ts'
import { bytesOf, bytesOfRow } from './bytes-of.ts'
import { QuickStatements } from './quick-statements.ts'

/** How long a statement of a transaction that may be a group waits for a lock, in milliseconds. */
export const lockTimeoutMs = 50

/** Writes that take less time, with fewer bytes, are carried out in groups. The time includes a commit. */
const quick = { milliseconds: lockTimeoutMs, bytes: 65_536 }

/** While fewer writes are in progress, another one begins at once. */
const fewInProgress = 2

/** How long a write waits for those in progress, in milliseconds. */
const longestWaitMs = 2

/** What the statements of a committed transaction have given; undefined if nothing was changed. */
type Results = readonly StatementResult[] | undefined

interface Write {
  readonly statements: readonly Statement[]
  readonly cancellation: CancellationToken | undefined
  /** When it came, by `performance.now`. */
  readonly since: number
}

interface WaitingWrite extends Write {
  readonly resolve: (results: Results) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitOptions {
  readonly admission: Admission
  /** Carries out statements in one transaction. Undefined if it was refused or not begun; throws if it may have been committed. */
  readonly transact: (statements: readonly Statement[]) => Promise<Results>
}

/** See the head of this file. */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #quick = new QuickStatements(quick)
  #waiting: WaitingWrite[] = []
  #inProgress = 0
  #isSending = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /** Carries out statements in one transaction, perhaps with those of other writes. Undefined if it was refused or not begun. */
  write(statements: readonly Statement[], cancellation: CancellationToken | undefined): Promise<Results> {
    const write = { statements, cancellation, since: performance.now() }
    const { admission } = this.#options
    if (!this.#mayJoin(statements)) return admission.pass(() => this.#alone(write))
    return admission.run('grouped', cancellation, () => this.#join(write))
  }

  #mayJoin(statements: readonly Statement[]): boolean {
    let bytes = 0
    for (const { sql, parameters } of statements) {
      if (!this.#quick.isQuick(sql)) return false
      bytes += bytesOfRow(parameters)
    }
    return bytes <= quick.bytes
  }

  #join(write: Write): Promise<Results> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject })
      if (this.#inProgress < fewInProgress) this.#sendSoon()
      else this.#timer ??= setTimeout(() => this.#send(), longestWaitMs)
    })
  }

  /** With all others that come in the same turn of the event loop. */
  #sendSoon(): void {
    if (this.#isSending) return
    this.#isSending = true
    setImmediate(() => {
      this.#isSending = false
      this.#send()
    })
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const group = this.#waiting
    if (group.length === 0) return
    this.#waiting = []
    this.#inProgress += group.length
    void this.#carryOut(group).then(() => {
      this.#inProgress -= group.length
      if (this.#waiting.length > 0 && this.#inProgress < fewInProgress) this.#sendSoon()
    })
  }

  /** Never fails: the writes are told. */
  async #carryOut(group: readonly WaitingWrite[]): Promise<void> {
    let alone = group
    if (group.length > 1) {
      try {
        alone = await this.#together(group)
      } catch (error) {
        if (!isTimeout(error)) {
          for (const { reject } of group) reject(error)
          return
        }
      }
    }
    await Promise.all(alone.map((write) => this.#alone(write).then(write.resolve, write.reject)))
  }

  /** Returns the writes that are to be carried out alone. */
  async #together(group: readonly WaitingWrite[]): Promise<readonly WaitingWrite[]> {
    const since = Math.min(...group.map((write) => write.since))
    return this.#options.admission.runInside(
      'changes',
      undefined,
      async () => {
        const [first, ...others] = group.filter(({ cancellation }) => cancellation?.isCancelled !== true)
        if (first === undefined || others.length === 0) return group
        const members = [first, ...others].sort(byKey)
        const start = performance.now()
        const results = await this.#options.transact(members.flatMap(({ statements }) => statements))
        if (results === undefined) return group
        const milliseconds = performance.now() - start
        let end = 0
        for (const write of members) {
          const begin = end
          end += write.statements.length
          const own = results.slice(begin, end)
          this.#ran(write, own, milliseconds)
          write.resolve(own)
        }
        return group.filter((write) => !members.includes(write))
      },
      since,
    )
  }

  #alone(write: Write): Promise<Results> {
    const run = async () => {
      const start = performance.now()
      const results = await this.#options.transact(write.statements)
      this.#ran(write, results, performance.now() - start)
      return results
    }
    return this.#options.admission.runInside('changes', write.cancellation, run, write.since)
  }

  #ran({ statements }: Write, results: Results, milliseconds: number): void {
    // The first statement changes rows and waits for locks, the last one reads what is shown.
    const [change, shown] = [statements.at(0), statements.at(-1)]
    if (change === undefined || shown === undefined) return
    const bytes = results?.reduce((sum, { rows }) => sum + bytesOf(rows), 0) ?? 0
    if (milliseconds > quick.milliseconds) this.#quick.wasSlow(change.sql)
    else if (bytes > quick.bytes) this.#quick.wasSlow(shown.sql)
    else if (results !== undefined)
      for (const { sql } of statements) this.#quick.ran(sql, milliseconds, bytes)
  }
}

/** One of the statements took too long, and nothing is kept. */
function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'timedOut' && !error.perhapsCommitted
}

/** All groups lock rows in the same order, that of the keys by which the last statements of writes find them: so they do not block each other. */
function byKey(one: Write, other: Write): number {
  const [key, otherKey] = [keyOf(one), keyOf(other)]
  if (key === otherKey) return 0
  return key < otherKey ? -1 : 1
}

function keyOf({ statements }: Write): string {
  return String(statements.at(-1)?.parameters)
}
