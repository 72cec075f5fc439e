/**
 * Protects against password guessing (brute force). Only failures count:
 * - Ten of an account from one client (address, or browser that has logged in before) within a minute lock that pair.
 * - Across all clients an account is slowed down, but never locked.
 * - Across all names an address is never locked either: from a hundred on, wrong logons get 429, and those that need no
 *   API key are slowed down.
 *
 * Each failure is stored as a separate row, so that logons do not wait for each other. A correct logon is checked against
 * the failures once more when it succeeds: of many concurrent guesses, on all nodes, those after the tenth fail, right or
 * wrong. Where the store is full, this process remembers the failures.
 */
import { createHash } from 'node:crypto'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { FailureCount } from '../../store/logon-attempt-store.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../util/clock.ts'
import { clientNetwork } from '../../util/network-address.ts'
import { spokenWait } from '../../util/spoken-duration.ts'
import { unlessFull } from '../unless-full.ts'
import { LogonTurns } from './logon-turns.ts'
import { UnwrittenFailures } from './unwritten-failures.ts'

/** The account whose password is tried, and the client. */
export interface Guess {
  readonly username: string
  /** Canonical network address. */
  readonly address: string
  /** The proof of a browser that has logged in with this account before; undefined for every other client. */
  readonly browser: string | undefined
  /** Whether the API key of the account is needed as well: then guessed names and passwords alone are useless. */
  readonly needsKey: boolean
}

/** How many logons of a guess's pair, account and address have failed within the window. */
export interface Failures {
  readonly guess: Guess
  readonly ofPair: FailureCount | undefined
  readonly ofAccount: FailureCount | undefined
  readonly ofAddress: FailureCount | undefined
}

export interface LogonLimitParts {
  readonly store: Store
  readonly now: Clock
  readonly nextId: () => string
  /** Waits that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>
}

const windowSeconds = 60
const failuresPerPair = 10
const failuresPerAddress = 100
const delayPerFailureMs = 25
const longestDelayMs = 5000

/** The limits on guessing, across all nodes of the store. */
export class LogonLimits {
  readonly #parts: LogonLimitParts
  readonly #turns = new LogonTurns(failuresPerPair)
  readonly #unwritten = new UnwrittenFailures(windowSeconds)

  constructor(parts: LogonLimitParts) {
    this.#parts = parts
  }

  /**
   * Runs a logon when its failure would not exceed the limit. `look` returns the current failures; `work` gets its last
   * result. Throws LOGON_THROTTLED, with the time to wait, if the pair is locked, for right and wrong passwords;
   * TOO_BUSY.
   */
  async inTurn<Seen extends { readonly failures: Failures }, Result extends object>(
    { username, address }: Pick<Guess, 'username' | 'address'>,
    look: () => Promise<Seen>,
    work: (seen: Seen) => Promise<Result>,
  ): Promise<Result> {
    const count = async () => {
      const seen = await look()
      this.refuseLocked(seen.failures)
      return { seen, failures: seen.failures.ofPair?.number ?? 0 }
    }
    const key = subjectOf(clientNetwork(address), username)
    const result = await this.#turns.run(key, count, ({ seen }) => work(seen))
    if (result !== undefined) return result
    throw new AppError('TOO_BUSY', {
      detail: 'Too many logons of this account are waiting. Try again in a few seconds.',
      headers: { 'retry-after': '5' },
    })
  }

  /** The failures that count for a guess now. */
  async count(connection: Connection, guess: Guess): Promise<Failures> {
    const { store, now } = this.#parts
    const timestamp = now()
    const since = new Date(timestamp.getTime() - windowSeconds * 1000).toISOString()
    const subjects = subjectsOf(guess)
    const written = await store.logonAttempts.counts(connection, Object.values(subjects), since)
    const countOf = (subject: string) => sum(written.get(subject), this.#unwritten.count(subject, timestamp))
    return {
      guess,
      ofPair: countOf(subjects.pair),
      ofAccount: countOf(subjects.account),
      ofAddress: countOf(subjects.address),
    }
  }

  /** Throws LOGON_THROTTLED if the pair is locked. */
  refuseLocked({ ofPair }: Failures): void {
    if (ofPair !== undefined && ofPair.number >= failuresPerPair) throw this.#throttled(ofPair)
  }

  /** Waits as long as the failures of others slow this guess down. */
  async slowDown({ guess, ofAccount, ofAddress }: Failures): Promise<void> {
    if (guess.browser !== undefined) return
    const ofNames = guess.needsKey ? 0 : delayFor(ofAddress, failuresPerAddress)
    const milliseconds = Math.max(delayFor(ofAccount, failuresPerPair), ofNames)
    if (milliseconds > 0) await this.#parts.pause(milliseconds)
  }

  /** Counts a wrong guess; returns the error for it. */
  async noteFailure({ guess, ofAddress }: Failures): Promise<AppError> {
    const { store, now, nextId } = this.#parts
    const timestamp = now()
    const subjects = Object.values(subjectsOf(guess))
    await unlessFull({ store }, async (connection, canWrite) => {
      if (!canWrite) return this.#unwritten.note(subjects, timestamp)
      await store.logonAttempts.insert(connection, {
        id: nextId(),
        subjects,
        triedAt: timestamp.toISOString(),
      })
    })
    const isOneOfMany = ofAddress !== undefined && ofAddress.number >= failuresPerAddress
    if (isOneOfMany) return this.#throttled(ofAddress)
    return new AppError(
      'LOGON_REFUSED',
      guess.needsKey ? {} : { detail: 'The username or password is wrong.' },
    )
  }

  /** Removes failures that no longer count. */
  async removeOld(connection: Connection): Promise<void> {
    const end = new Date(this.#parts.now().getTime() - 2 * windowSeconds * 1000).toISOString()
    await this.#parts.store.logonAttempts.removeBefore(connection, end)
  }

  #throttled({ first }: FailureCount): AppError {
    const passed = (this.#parts.now().getTime() - Date.parse(first)) / 1000
    const wait = Math.max(1, Math.ceil(windowSeconds - passed))
    return new AppError('LOGON_THROTTLED', {
      detail: `Too many logons failed. Try again in ${spokenWait(wait)}.`,
      headers: { 'retry-after': String(wait) },
    })
  }
}

/** What a failure counts for. A known browser counts for itself, not for its address, which others share. */
function subjectsOf({ username, address, browser }: Guess) {
  const client = browser === undefined ? clientNetwork(address) : `browser ${browser}`
  return {
    pair: subjectOf(client, username),
    account: subjectOf('account', username),
    address: subjectOf(client),
  }
}

function subjectOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function sum(one: FailureCount | undefined, other: FailureCount | undefined): FailureCount | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return { number: one.number + other.number, first: one.first < other.first ? one.first : other.first }
}

function delayFor(failures: FailureCount | undefined, allowed: number): number {
  const beyond = (failures?.number ?? 0) - allowed
  return Math.min(longestDelayMs, Math.max(0, beyond * delayPerFailureMs))
}
