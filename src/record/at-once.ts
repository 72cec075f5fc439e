import { DeferredConnection, NeedsResult } from '../database/deferred-connection.ts'
import { type EnclosingTransaction, SentChange } from './enclosing-transaction.ts'
import type { RecordParts } from './record-parts.ts'
import type { PublishedEntity } from './record-rules.ts'

/** Whether only the statements themselves decide what is kept of such a write. */
function isPlain({ table, rights }: Pick<PublishedEntity, 'table' | 'rights'>): boolean {
  return table.isPlain === true && rights === undefined
}

/**
 * Writes in one exchange with the database, if all statements are known before the first result. `work` calls `end` of the deferred
 * connection before it reads what it returns, and cannot fail after that. Undefined if something must be known before, a row is missing,
 * or the database refuses the write: then nothing was changed, and a transaction of the usual kind does the work, or tells why not.
 */
export async function atOnce<Result>(
  entity: Pick<PublishedEntity, 'table' | 'rights'>,
  { database, cancellation }: Pick<RecordParts, 'database' | 'cancellation'>,
  work: (enclosing: EnclosingTransaction, deferred: DeferredConnection) => Promise<Result>,
): Promise<Result | undefined> {
  const { driver } = database
  if (driver.transactAtOnce === undefined || !isPlain(entity)) return undefined
  let isMissing = false
  const connection = new DeferredConnection(async (statements) => {
    const results = await driver.transactAtOnce?.(statements, { cancellation })
    if (results === undefined) throw new NeedsResult()
    isMissing = results.slice(0, -1).some(({ count }) => count === 0)
    return results
  })
  const enclosing: EnclosingTransaction = {
    connection,
    isDeferred: true,
    keyChecks: 'byTable',
    sent: new SentChange(),
    made: () => {},
  }
  try {
    const result = await work(enclosing, connection)
    await enclosing.sent.settled()
    return connection.isSent && !isMissing ? result : undefined
  } catch (error) {
    if (error instanceof NeedsResult || isMissing) return undefined
    throw error
  }
}
