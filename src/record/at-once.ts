import { DeferredConnection, NeedsResult } from '../database/deferred-connection.ts'
import { noRows } from '../database/row-set.ts'
import { AppError } from '../errors/app-error.ts'
import type { ShownList } from '../query/mutate-plan.ts'
import { type EnclosingTransaction, SentChange } from './enclosing-transaction.ts'
import type { RecordParts } from './record-parts.ts'
import type { PublishedEntity } from './record-rules.ts'

/**
 * Writes in one round trip to the database, if all statements are known before the first result. `work` calls `expectLast` of the
 * deferred connection before it reads what it returns, and must not fail for anything that this reads: it is committed then, and all
 * that can be told is an error. Undefined if something must be known before (as by `requireNoConditions`), the row to change is missing, or the database refuses the
 * write: then nothing was changed, and a transaction of the usual kind does the work, or tells why not. What was committed is never done
 * again, whatever a trigger has made of it that came after the schema was read: its row is shown, or the error says that it is kept, or left out.
 * With `shown` the insert returns what would be read after it.
 */
export async function atOnce<Result>(
  kind: 'insert' | 'update',
  { table }: Pick<PublishedEntity, 'table'>,
  { database, cancellation }: Pick<RecordParts, 'database' | 'cancellation'>,
  work: (enclosing: EnclosingTransaction, deferred: DeferredConnection) => Promise<Result>,
  shown?: ShownList,
): Promise<Result | undefined> {
  const { driver } = database
  if (driver.transactAtOnce === undefined || table.isPlain !== true) return undefined
  let outcome: 'none' | 'committed' | 'missing' | 'notMade' | 'notShown' = 'none'
  const connection = new DeferredConnection(async (changes, reading) => {
    const statements = shown === undefined ? [...changes, reading] : changes
    const results = await driver.transactAtOnce?.(statements, { cancellation, key: reading.parameters })
    if (results === undefined) throw new NeedsResult()
    const { rows = noRows } = results.at(-1) ?? {}
    const isShown = rows.length > 0
    const isMissing = kind === 'update' && results.slice(0, -1).every(({ count }) => count === 0)
    if (isMissing) outcome = isShown ? 'notMade' : 'missing'
    else outcome = isShown ? 'committed' : 'notShown'
    return rows
  })
  const enclosing: EnclosingTransaction = {
    connection,
    isDeferred: true,
    shown,
    keyChecks: 'byTable',
    sent: new SentChange(),
    made: () => {},
  }
  const isNow = (one: typeof outcome) => outcome === one
  try {
    const result = await work(enclosing, connection)
    await enclosing.sent.settled()
    if (isNow('committed')) return result
    if (!isNow('notShown') && !isNow('notMade')) return undefined
  } catch (error) {
    if (isNow('committed')) throw new AppError('INTERNAL', { detail: cannotBeShown, cause: error })
    if (error instanceof NeedsResult || isNow('missing')) return undefined
    if (!isNow('notShown') && !isNow('notMade')) throw error
  }
  throw new AppError('RECORD_INVALID', { detail: isNow('notMade') ? leftOut : notThere })
}

const leftOut =
  'The database took the change and did not make it. A trigger, a rule or a policy that the table got a moment ago decides so, and what it did is kept. Look at the record before you send it again.'

const notThere =
  'The database took the change, but the record is not there to be shown. A trigger, a rule or a policy that the table got a moment ago decides so, and what it did is kept. Look at the records before you send it again.'

const cannotBeShown =
  'The record was written, but cannot be shown: another program has changed it or its table at the same moment. Read it again.'
