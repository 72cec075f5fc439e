import { DatabaseError } from '../database/database-error.ts'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { Precondition } from '../http/etag.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { separately } from './enclosing-transaction.ts'
import { inTransaction } from './in-transaction.ts'
import { ownReferencesOf } from './own-references.ts'
import { layoutOf, rowKeyIn } from './record-layout.ts'
import type { RecordParts } from './record-parts.ts'
import type { PublishedEntity } from './record-rules.ts'
import { findRow, lockRecord, missingRecord, type RecordTarget, recordOf } from './record-target.ts'
import { requireMade } from './require-made.ts'
import { runMutate, sendMutate } from './run-mutate.ts'

/** Called with the key of a record that is about to be deleted, in the same transaction. */
export type BeforeRemoval = (key: RowKey) => Promise<void>

/** Deletes one record; refused while others refer to it. */
export async function removeRecord(
  target: RecordTarget,
  precondition: Precondition,
  parts: RecordParts,
  before: BeforeRemoval = async () => {},
): Promise<void> {
  const { entity } = target
  const { table } = entity
  const { dialect } = parts.database
  const remove = async (connection: Connection) => {
    const { row } = await lockRecord(target, precondition, connection, dialect)
    const key = rowKeyIn(row, entity)
    await before(key)
    const values = dialect.syntax.ownReferencesKeepRows === true ? ownReferencesOf(row, entity) : new Map()
    if (values.size > 0) await sendMutate({ kind: 'update', table, values, key }, connection, dialect, parts)
    const ifUnmet = () => requireMade({ key, row }, entity, connection, dialect)
    await sendMutate({ kind: 'delete', table, key }, connection, dialect, parts, ifUnmet)
  }
  const change = () => ({ kind: 'delete', table }) as const
  try {
    await separately('attempt', parts.enclosing, () => inTransaction(remove, change, parts))
  } catch (error) {
    if (!(error instanceof DatabaseError && error.kind === 'denied')) throw error
    const removeUnlocked = (connection: Connection) =>
      removeWithoutLock(target, precondition, connection, { ...parts, before })
    await inTransaction(removeUnlocked, change, parts)
  }
}

/**
 * For a database user who may delete rows but not lock them, for which some databases need the privilege to update: the
 * row is deleted, which locks it, and its content then decides whether it stays deleted.
 */
async function removeWithoutLock(
  target: RecordTarget,
  precondition: Precondition,
  connection: Connection,
  { before, ...parts }: RecordParts & { readonly before: BeforeRemoval },
): Promise<void> {
  const { entity } = target
  const { dialect } = parts.database
  const { table } = entity
  const { columns, write } = layoutOf(entity)
  const read = await findRow(target, connection, dialect)
  const known = await recordOf(read, target, unasserted(precondition, entity), connection, dialect)
  const key = rowKeyIn(known.row, entity)
  await before(key)
  const plan = { kind: 'delete', table, key, returning: columns } as const
  const [row] = await runMutate(plan, connection, dialect, parts)
  if (row === undefined) {
    await requireMade({ key, row: known.row }, entity, connection, dialect)
    throw missingRecord(target, precondition.hasSeenRecord)
  }
  if (entity.rights === undefined) precondition.assert(write(row))
  else if (write(row) !== write(known.row)) throw changedMeanwhile()
}

/** Without conditions on rights, the content of the deleted row is what is asserted. */
function unasserted(precondition: Precondition, { rights }: PublishedEntity): Precondition {
  return rights === undefined ? { ...precondition, assert: () => {} } : precondition
}

function changedMeanwhile(): AppError {
  const detail = 'The record was changed while it was deleted, so it was kept. Send the call again.'
  return new AppError('PRECONDITION_FAILED', { detail })
}
