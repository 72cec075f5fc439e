/**
 * Keeps passwords from being guessed. Every attempt is written down before its password is looked at, and taken
 * back when it succeeds, so that attempts at the same time and at other nodes are counted, too.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../errors/app-error.ts'
import type { AccessParts } from './access-parts.ts'

/** Who is tried, and from where. */
export interface Guess {
  readonly username: string
  readonly address: string
}

const windowSeconds = 60
/** Wrong logons of one name from one address, within the window. */
const guessesPerName = 10
/** Wrong logons of all names from one address. */
const guessesPerAddress = 100

/**
 * Writes an attempt down; gives its id, by which it is removed when it succeeds. Throws LOGON_THROTTLED, with the time to wait, when there
 * were too many: whatever name and password are then shown, right or wrong.
 */
export async function noteAttempt(
  { store, now, nextId }: Pick<AccessParts, 'store' | 'now' | 'nextId'>,
  { username, address }: Guess,
): Promise<string> {
  const id = nextId()
  const moment = now()
  const since = new Date(moment.getTime() - windowSeconds * 1000).toISOString()
  const limits = new Map([
    [subjectOf(address, username), guessesPerName],
    [subjectOf(address), guessesPerAddress],
  ])
  const wait = await store.transaction(async (connection) => {
    const { logonAttempts } = store
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
  if (wait === undefined) return id
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
