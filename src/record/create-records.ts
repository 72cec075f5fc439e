import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { AppError } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type Absence, checkRecord, defaultOrNull } from './check-record.ts'
import { type CheckedRecord, checkValues } from './check-values.ts'
import { inTransaction } from './in-transaction.ts'
import { insertForeignRows } from './insert-foreign-rows.ts'
import { isRefusal, locateRefusal } from './locate-refusal.ts'
import { layoutOf } from './record-layout.ts'
import { RecordMistakes, type RecordPath } from './record-mistakes.ts'
import type { Origin, RecordParts } from './record-parts.ts'
import { type FieldRule, type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { runMutate } from './run-mutate.ts'
import { selectRows } from './select-rows.ts'

const listLimit = 10_000

/**
 * Creates one record, or all of a list of them, or none. `finish` makes the result from the new rows, in the order of the
 * documents; it runs in their transaction, and may run again with it.
 */
export async function createRecords<Result>(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RecordParts,
  finish: (rows: readonly Row[], connection: Connection) => Promise<Result>,
): Promise<Result> {
  const isList = Array.isArray(document)
  const documents: readonly unknown[] = isList ? document : [document]
  if (documents.length === 0 || documents.length > listLimit) {
    const detail = `Send one record, or a list of 1 to ${listLimit}; this list has ${documents.length}.`
    throw new AppError('RECORD_INVALID', { mistakes: [{ pointer: '', detail }] })
  }
  const pathOf = (index: number): RecordPath => (isList ? [index] : [])
  const { dialect, driver } = parts.database
  const { checked, mistakes } = await checkNewRecords(documents, pathOf, entity, parts)
  if (mistakes.areMany) mistakes.throwIfAny()
  const insert = (records: readonly CheckedRecord[], connection: Connection) =>
    insertRecords(records, origin, { entity, connection, parts })
  const create = async (connection: Connection) => {
    await checkValues(checked, { entity, connection, dialect, mistakes })
    mistakes.throwIfAny()
    return finish(await insert(checked, connection), connection)
  }
  try {
    return await inTransaction(create, () => ({ kind: 'insert', table: entity.table }), parts)
  } catch (error) {
    if (!(isList && isRefusal(error))) throw error
    throw await locateRefusal(error, { items: checked, insert }, driver)
  }
}

async function checkNewRecords(
  documents: readonly unknown[],
  pathOf: (index: number) => RecordPath,
  { rules }: PublishedEntity,
  { now, uuid, nextInstance, database }: RecordParts,
): Promise<{ readonly checked: readonly CheckedRecord[]; readonly mistakes: RecordMistakes }> {
  const mistakes = new RecordMistakes()
  const context = { now: now(), uuid }
  const tellsKeys = database.dialect.syntax.insertedKeys.by === 'returning'
  const absent = (rule: FieldRule): Absence => {
    const { name, column } = rule
    if (!rules.key.includes(name) || rule.defaultOf !== undefined) return defaultOrNull(rule, context)
    if (rules.systemColumns.length > 0 && column?.type === 'string') return { value: nextInstance() }
    const isTold = tellsKeys || column?.written === 'numbered'
    return rule.isFilled && isTold ? 'kept' : 'refused'
  }
  const check = { rules, current: undefined, absent, mistakes }
  const checked = await mapInSlices(documents, (json, index): CheckedRecord => {
    const path = pathOf(index)
    const values = mistakes.areMany ? new Map() : checkRecord(json, path, check)
    return { path, values, current: undefined }
  })
  return { checked, mistakes }
}

/** The rows of the new records, as the table has them. */
async function insertRecords(
  records: readonly CheckedRecord[],
  { xid, xname }: Origin,
  {
    entity,
    connection,
    parts: { database, nextInstance },
  }: { readonly entity: PublishedEntity; readonly connection: Connection; readonly parts: RecordParts },
): Promise<readonly Row[]> {
  const { table, rules } = entity
  if (rules.systemColumns.length === 0) {
    const sent = records.map(({ values }) => values)
    return insertForeignRows(sent, entity, connection, database.dialect)
  }
  const { columns } = layoutOf(entity)
  const instances: string[] = []
  const rows = await mapInSlices(records, ({ values }) => {
    const instance = nextInstance()
    instances.push(instance)
    const own = new Map<string, SqlValue>([
      ['instance', instance],
      ['xid', xid],
      ['xname', xname],
    ])
    return columns.map(({ name }) => own.get(name) ?? values.get(name) ?? null)
  })
  await runMutate({ kind: 'insert', table, columns, rows }, connection, database.dialect)
  const [column] = rowKeyOf(entity)
  invariant(column !== undefined, 'rows of an entity are identified by their instance')
  // Instances sort by the order they were made in, which is the order of the records.
  const selection = { table, columns, column, values: instances }
  const kept = await selectRows(selection, connection, database.dialect)
  if (kept.length < records.length) throw notKept()
  return kept
}
