/**
 * Calls that are carried out once, however often and to whichever node they are sent. A call claims its key before it
 * begins, in a separate transaction, so that others see it at once; its response is stored in the transaction of its
 * changes, so that both are stored or neither. An interrupted attempt leaves its claim: after a while another may take it
 * over. If the first one is still running, it finds at its end that it has lost the key, and rolls back.
 */
import { DatabaseError, type DatabaseErrorKind } from '../database/database-error.ts'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { StoredCall } from '../store/idempotency-store.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { IdempotentCall } from './idempotency-key.ts'
import type { RestResponse } from './rest-parts.ts'

/** Stores a response on the connection of its changes. */
export type KeepResponse = (connection: Connection, response: RestResponse) => Promise<void>

export interface Idempotency {
  /** Does the work, or returns its earlier response. Work that throws frees the key. */
  once(call: IdempotentCall, work: (keep: KeepResponse) => Promise<RestResponse>): Promise<RestResponse>
}

export interface IdempotencyParts {
  readonly store: Pick<Store, 'read' | 'transaction' | 'isSeparate' | 'idempotency'>
  readonly now: Clock
  readonly uuid: () => string
}

/** How long a response is kept. */
const keptMs = 24 * 60 * 60 * 1000
/** How long a call may run before another may take over. */
const timeoutMs = 60_000
const cleaningMs = 10 * 60_000

/** The call with what its response depends on, which is stored in the answer. */
type Attempt = StoredCall & Pick<IdempotentCall, 'rights'>

/** The calls of a gateway. */
export function createIdempotency(parts: IdempotencyParts): Idempotency {
  const { store, now, uuid } = parts
  let cleanedAt = 0

  async function removeEnded(): Promise<void> {
    const timestamp = now()
    if (timestamp.getTime() - cleanedAt < cleaningMs) return
    cleanedAt = timestamp.getTime()
    // A failure to clean up does not fail the call: expired keys are removed next time.
    await store
      .transaction((connection) => store.idempotency.removeEnded(connection, timestamp.toISOString()))
      .catch(() => {})
  }

  return {
    async once(call, work) {
      await removeEnded()
      const attempt: Attempt = {
        ...call,
        attempt: uuid(),
        startedAt: now().toISOString(),
        expiresAt: new Date(now().getTime() + keptMs).toISOString(),
      }
      const before = await claim(attempt, parts)
      return before ?? carryOut(attempt, work, parts)
    },
  }
}

/** Claims the key; returns the response if the call was carried out before. */
async function claim(attempt: Attempt, parts: IdempotencyParts): Promise<RestResponse | undefined> {
  const { store, now } = parts
  if (await isInserted(attempt, parts)) return undefined
  const found = await store.read((connection) => store.idempotency.find(connection, attempt.id))
  if (found === undefined) throw inProgress()
  if (found.expiresAt <= now().toISOString()) {
    await store.transaction((connection) => store.idempotency.removeEnded(connection, found.expiresAt))
    if (await isInserted(attempt, parts)) return undefined
    throw inProgress()
  }
  if (found.fingerprint !== attempt.fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  if (found.answer !== undefined) return replayed(found.answer, attempt)
  const isGivenUp = now().getTime() - Date.parse(found.startedAt) > timeoutMs
  if (!isGivenUp) throw inProgress()
  if (store.isSeparate) throw unknownOutcome()
  const isTaken = await store.transaction((connection) =>
    store.idempotency.takeOver(connection, found.attempt, attempt),
  )
  if (!isTaken) throw inProgress()
  return undefined
}

async function isInserted(attempt: Attempt, { store }: IdempotencyParts): Promise<boolean> {
  try {
    await store.transaction((connection) => store.idempotency.insert(connection, attempt))
    return true
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'uniqueViolation') return false
    throw error
  }
}

async function carryOut(
  attempt: Attempt,
  work: (keep: KeepResponse) => Promise<RestResponse>,
  { store }: IdempotencyParts,
): Promise<RestResponse> {
  const complete: KeepResponse = async (connection, response) => {
    const answer = JSON.stringify({ ...response, rights: attempt.rights })
    if (!(await store.idempotency.complete(connection, attempt, answer))) throw inProgress()
  }
  let response: RestResponse
  try {
    response = await work(store.isSeparate ? async () => {} : complete)
  } catch (error) {
    if (!store.isSeparate || wroteNothing(error)) {
      await store.transaction((connection) => store.idempotency.release(connection, attempt)).catch(() => {})
    }
    throw error
  }
  if (store.isSeparate) await store.transaction((connection) => complete(connection, response))
  return response
}

/** Nothing had begun, or the database itself refused: what a transaction did before is rolled back. */
const refusals: ReadonlySet<DatabaseErrorKind> = new Set([
  'busy',
  'deadlock',
  'denied',
  'noConnection',
  'readOnly',
  'schemaChanged',
])

/** Whether the call failed before its commit; for other failures, only the same database knows. */
function wroteNothing(error: unknown): boolean {
  if (error instanceof DatabaseError) return refusals.has(error.kind)
  const isUnknown =
    error instanceof AppError && error.cause instanceof DatabaseError && error.cause.perhapsCommitted
  return error instanceof AppError && error.kind.status < 500 && !isUnknown
}

/** The response that was stored. It may show what the caller may no longer read. */
function replayed(text: string, { rights: current }: Attempt): RestResponse {
  const { rights = current, ...response } = JSON.parse(text) as RestResponse & { readonly rights?: string }
  if (rights !== current) throw new AppError('IDEMPOTENCY_KEY_REUSED', { detail: rightsChanged })
  return { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } }
}

const rightsChanged =
  'This call was carried out before, and what its account may do has changed since: its response is not shown again. Read the records instead.'

function inProgress(): AppError {
  return new AppError('IDEMPOTENCY_KEY_IN_PROGRESS', {
    detail: 'The same call is being carried out. Send it again later to get its response.',
    headers: { 'retry-after': '1' },
  })
}

function unknownOutcome(): AppError {
  return new AppError('IDEMPOTENCY_KEY_IN_PROGRESS', {
    detail:
      'The same call was interrupted. Its records and its key are in two databases, so it is unknown whether it was carried out: look for the records, and use another key.',
  })
}
