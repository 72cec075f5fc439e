import type { Connection, Row, SqlValue } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import { addressColumns, type FieldRule, type PublishedEntity, rowKeyOf } from '../query/write-rules.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type Absence, checkRecord, defaultOrNull } from './check-record.ts'
import { type CheckedRecord, checkValues } from './check-values.ts'
import { etagOf } from './etag.ts'
import type { KeepAnswer } from './idempotency.ts'
import { inTransaction } from './in-transaction.ts'
import { insertForeignRows } from './insert-foreign-rows.ts'
import { isRefusal, locateRefusal } from './locate-refusal.ts'
import { pathOfKey } from './record-address.ts'
import { layoutOf } from './record-layout.ts'
import { RecordMistakes, type RecordPath } from './record-mistakes.ts'
import { notKept } from './refusal-of.ts'
import type { Origin, RestAnswer, RestParts } from './rest-parts.ts'
import { runMutate } from './run-mutate.ts'
import { selectRows } from './select-rows.ts'

const listLimit = 10_000

/**
 * `POST` of one record, or of a list of them: then all of them are created, or none. `keep` is given the answer in
 * the transaction of the records.
 */
export async function createRecords(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RestParts,
  keep: KeepAnswer = async () => {},
): Promise<RestAnswer> {
  const documents = Array.isArray(document) ? document : [document]
  if (documents.length === 0 || documents.length > listLimit) {
    const detail = `Send one record, or a list of 1 to ${listLimit}; this list has ${documents.length}.`
    throw new AppError('RECORD_INVALID', { mistakes: [{ pointer: '', detail }] })
  }
  const pathOf = (index: number): RecordPath => (Array.isArray(document) ? [index] : [])
  const { dialect, driver } = parts.database
  const isList = Array.isArray(document)
  const { checked, mistakes } = await checkNewRecords(documents, pathOf, entity, parts)
  if (mistakes.areMany) mistakes.throwIfAny()
  const insert = (records: readonly CheckedRecord[], connection: Connection) =>
    insertRecords(records, origin, { entity, connection, parts })
  const create = async (connection: Connection) => {
    await checkValues(checked, { entity, connection, dialect, mistakes })
    mistakes.throwIfAny()
    const rows = await insert(checked, connection)
    const answer = await answerOf(rows, isList, entity, parts)
    await keep(connection, answer)
    return answer
  }
  try {
    return await inTransaction(create, () => ({ kind: 'insert', table: entity.table }), parts)
  } catch (error) {
    if (!(isList && isRefusal(error))) throw error
    throw await locateRefusal(error, { items: checked, insert }, driver)
  }
}

async function answerOf(
  rows: readonly Row[],
  isList: boolean,
  entity: PublishedEntity,
  { baseUrl }: RestParts,
): Promise<RestAnswer> {
  const layout = layoutOf(entity)
  const bodies = await mapInSlices(rows, layout.write)
  if (isList) return { status: 201, headers: {}, body: `[${bodies.join(',')}]` }
  const [body = ''] = bodies
  const key = addressColumns(entity).map((column) => rows[0]?.[layout.positionOf(column)] ?? null)
  const location = `${baseUrl}/apis/${entity.resource}/${pathOfKey(key, entity)}`
  return { status: 201, headers: { location, etag: etagOf(body) }, body }
}

async function checkNewRecords(
  documents: readonly unknown[],
  pathOf: (index: number) => RecordPath,
  { rules }: PublishedEntity,
  { now, uuid, nextInstance, database }: RestParts,
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
  }: { readonly entity: PublishedEntity; readonly connection: Connection; readonly parts: RestParts },
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
  invariant(column !== undefined, 'rows of ours are told apart by their instance')
  // Instances sort by the order they were made in, which is the order of the records.
  const selection = { table, columns, column, values: instances }
  const kept = await selectRows(selection, connection, database.dialect)
  if (kept.length < records.length) throw notKept()
  return kept
}
