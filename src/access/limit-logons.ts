/**
 * Keeps passwords from being guessed. Every attempt is written down before its password is looked at, and taken
 * back when it succeeds, so that attempts at the same time and at other nodes are counted, too.
 */
import { createHash } from 'node:crypto'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { AccessParts } from './access-parts.ts'
import { unlessFull } from './unless-full.ts'

/** Who is tried, and from where. */
export interface Guess {
  readonly username: string
  readonly address: string
}

/** An attempt that counts as failed until it is taken back. */
export interface NotedAttempt {
  takeBack(connection: Connection, canWrite: boolean): Promise<void>
}

const windowSeconds = 60
/** Wrong logons of one name from one address, within the window. */
const guessesPerName = 10
/** The same, while the store has no space for them. */
export const unwrittenLimit = { failures: guessesPerName, seconds: windowSeconds }
/** Wrong logons of all names from one address. */
const guessesPerAddress = 100

/**
 * Writes an attempt down; gives what takes it back when it succeeds. Where the store is full this process remembers it. Throws LOGON_THROTTLED, with the time to wait, when there
 * were too many: whatever name and password are then shown, right or wrong.
 */
export async function noteAttempt(
  {
    store,
    now,
    nextId,
    unwrittenFailures,
  }: Pick<AccessParts, 'store' | 'now' | 'nextId' | 'unwrittenFailures'>,
  { username, address }: Guess,
): Promise<NotedAttempt> {
  const id = nextId()
  const moment = now()
  const since = new Date(moment.getTime() - windowSeconds * 1000).toISOString()
  const pair = subjectOf(address, username)
  const limits = new Map([
    [pair, guessesPerName],
    [subjectOf(address), guessesPerAddress],
  ])
  const wait = await unlessFull({ store }, async (connection, canWrite) => {
    const { logonAttempts } = store
    if (!canWrite) {
      const seconds = unwrittenFailures.secondsLocked(pair, moment)
      if (seconds > 0) return seconds
      unwrittenFailures.note(pair, moment)
      return undefined
    }
    // Two that count at the same time would not see each other's attempt.
    await logonAttempts.takeTurn(connection)
    await logonAttempts.removeBefore(connection, since)
    for (const [subject, limit] of limits) {
      const { number, first } = await logonAttempts.count(connection, subject, since)
      if (number >= limit) return secondsUntil(first, moment)
    }
    const triedAt = moment.toISOString()
    await logonAttempts.insert(connection, { id, subjects: [...limits.keys()], triedAt })
    return undefined
  })
  if (wait === undefined)
    return {
      takeBack: async (connection, canWrite) => {
        unwrittenFailures.forget(pair)
        if (canWrite) await store.logonAttempts.remove(connection, id)
      },
    }
  throw new AppError('LOGON_THROTTLED', {
    detail: `Too many logons failed. Try again in ${wait} seconds.`,
    headers: { 'retry-after': String(wait) },
  })
}

function subjectOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function secondsUntil(first: string | undefined, moment: Date): number {
  const passed = first === undefined ? 0 : (moment.getTime() - Date.parse(first)) / 1000
  return Math.max(1, Math.ceil(windowSeconds - passed))
}
