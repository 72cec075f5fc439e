/**
 * Group commit: writes of single records that come at the same time are one transaction.
 *
 * Promise: each write gets the results that it would get in a transaction of its own, and what it changed is durable then. None fails
 * because of another: one that the server refuses is taken out, and the others are sent again, up to eight times. For a statement that is
 * slow or waits for a lock, the others wait for 100 or 50 ms, for three such at most, and then not again for ten seconds.
 * Gain: less processor time for each write in the gateway and in the database, and one flush of the log for many writes;
 * `npm run bench relations-and-writes` measures it.
 * Off: `db_fast_reads: false`.
 */
import type { CancellationToken } from '../../util/cancellation-token.ts'
import type { Admission } from '../admission.ts'
import { DatabaseError } from '../database-error.ts'
import type { AtOnceOptions, Statement, StatementResult } from '../driver.ts'
import { bytesOf, bytesOfRow } from './bytes-of.ts'
import { QuickStatements } from './quick-statements.ts'

/** How long the server lets a statement of a group take, and wait for each lock. */
export const groupLimits = { statementMs: 100, lockMs: 50 }

/** A write may be part of a group if its statements took less time, with fewer bytes, when they were last sent alone. */
const quick = { milliseconds: 50, bytes: 65_536 }

/** While fewer writes are in progress, another one begins at once. */
const fewInProgress = 3

/** How long a write waits for those in progress, in milliseconds: `near`, or `far` if the last group took longer than that. */
const longestWaitMs = { near: 8, far: 2 }

/** If so many writes of a group are refused, those like them are sent alone for some time. */
const manyRefused = 3

/** A group is given up after so many refusals, or after so many for a limit in time: its writes are carried out one by one. */
const mostRefused = { inAll: 8, late: 3 }

/** What became of statements that were sent as one transaction. */
export interface Transacted {
  /** Absent if nothing was changed: the server refused them, or they were not sent. */
  readonly results?: readonly StatementResult[]
  /** Which statement the server refused, and whether for a limit in time; absent if none was sent, or the commit was refused. */
  readonly refusal?: { readonly at: number; readonly isLate: boolean } | undefined
  /** How long the server took. */
  readonly milliseconds: number
}

/** The results of a write; undefined if it is to be carried out by a transaction of the usual kind. */
type Results = readonly StatementResult[] | undefined

interface Write {
  readonly statements: readonly Statement[]
  readonly cancellation: CancellationToken | undefined
  /** The key of its row, as text. */
  readonly key: string
  /** When it came, by `performance.now`. */
  readonly since: number
}

interface WaitingWrite extends Write {
  readonly resolve: (results: Results) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitOptions {
  readonly admission: Admission
  /** Sends the statements of a group, with its limits, or of one write. Throws if they may have been committed. */
  readonly transact: (statements: readonly Statement[], use: 'grouped' | 'atOnce') => Promise<Transacted>
}

/** See the head of this file. */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #quick = new QuickStatements(quick)
  #waiting: WaitingWrite[] = []
  #inProgress = 0
  #isSending = false
  #timer: NodeJS.Timeout | undefined
  #longestWaitMs = longestWaitMs.near

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /**
   * Carries out statements in one transaction, perhaps with those of other writes. Undefined if they were refused or not sent: then nothing
   * was changed.
   */
  write(
    statements: readonly Statement[],
    { cancellation, key = statements.at(-1)?.parameters }: AtOnceOptions = {},
  ): Promise<Results> {
    const { admission } = this.#options
    if (!this.#mayJoin(statements))
      return admission.run('changes', cancellation, () => this.#alone(statements))
    const write = { statements, cancellation, key: String(key), since: performance.now() }
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

  async #alone(statements: readonly Statement[]): Promise<Results> {
    const { results, milliseconds } = await this.#options.transact(statements, 'atOnce')
    if (results !== undefined) {
      const bytes = bytesOfResults(results)
      for (const { sql } of statements) this.#quick.ran(sql, milliseconds, bytes)
    }
    return results
  }

  #join(write: Write): Promise<Results> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject })
      if (this.#inProgress < fewInProgress) this.#sendSoon()
      else this.#timer ??= setTimeout(() => this.#send(), this.#longestWaitMs)
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
    const sentAt = performance.now()
    void this.#carryOut(group).then(() => {
      const { near, far } = longestWaitMs
      this.#longestWaitMs = performance.now() - sentAt > near ? far : near
      this.#inProgress -= group.length
      if (this.#waiting.length > 0 && this.#inProgress < fewInProgress) this.#sendSoon()
    })
  }

  /** Never fails: the writes are told. */
  async #carryOut(group: readonly WaitingWrite[]): Promise<void> {
    const since = Math.min(...group.map((write) => write.since))
    const run = () => this.#together(group)
    // One that waits alone for a connection may leave.
    const cancellation = group.length === 1 ? group[0]?.cancellation : undefined
    try {
      await this.#options.admission.runInside('changes', cancellation, run, since)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async #together(group: readonly WaitingWrite[]): Promise<void> {
    let members = group.toSorted(byKey)
    const refused: WaitingWrite[] = []
    let late = 0
    for (;;) {
      members = members.filter(isWanted)
      if (members.length === 0) break
      const statements = members.flatMap((write) => write.statements)
      const { results, refusal } = await this.#options.transact(statements, 'grouped')
      if (results !== undefined) {
        this.#handOut(members, results)
        break
      }
      const out = refusal && memberAt(members, refusal.at)
      if (out !== undefined) refused.push(out)
      if (out !== undefined && refusal?.isLate) {
        late += 1
        this.#sendAlone(out)
      }
      const isGivenUp = out === undefined || refused.length >= mostRefused.inAll || late >= mostRefused.late
      const leaving = isGivenUp ? members : [out]
      for (const { resolve } of leaving) resolve(undefined)
      members = members.filter((write) => !leaving.includes(write))
    }
    if (refused.length >= manyRefused) for (const write of refused) this.#sendAlone(write)
  }

  #handOut(members: readonly WaitingWrite[], results: readonly StatementResult[]): void {
    let end = 0
    for (const { statements, resolve } of members) {
      const begin = end
      end += statements.length
      const own = results.slice(begin, end)
      const last = statements.at(-1)
      if (last !== undefined && bytesOfResults(own) > quick.bytes) this.#quick.wasSlow(last.sql)
      resolve(own)
    }
  }

  /** Writes like this one are not part of groups for some time. */
  #sendAlone({ statements: [change] }: Write): void {
    if (change !== undefined) this.#quick.wasSlow(change.sql)
  }
}

/** Whether someone still waits for a write; if not, it is told so. */
function isWanted({ cancellation, reject }: WaitingWrite): boolean {
  if (cancellation?.isCancelled !== true) return true
  reject(new DatabaseError('abandoned', 'No one waits for the write any more.'))
  return false
}

/** The write that has the statement at a position among those of all. */
function memberAt(members: readonly WaitingWrite[], position: number): WaitingWrite | undefined {
  let end = 0
  return members.find(({ statements }) => {
    end += statements.length
    return position < end
  })
}

function bytesOfResults(results: readonly StatementResult[]): number {
  return results.reduce((sum, { rows }) => sum + bytesOf(rows), 0)
}

/** Groups that lock the same rows do so in the same order, so that they seldom block each other. */
function byKey({ key }: Write, { key: otherKey }: Write): number {
  if (key === otherKey) return 0
  return key < otherKey ? -1 : 1
}
