import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { jsonPointer } from '../documents/parse-document.ts'
import { AppError, type Mistake, toldMistakes } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type Absence, checkRecord, defaultOrNull } from './check-record.ts'
import { type CheckedRecord, checkValues } from './check-values.ts'
import { type CarryOut, inTransaction } from './in-transaction.ts'
import { insertForeignRows } from './insert-foreign-rows.ts'
import { isRefusal, locateRefusal } from './locate-refusal.ts'
import { FieldRefusals, knownRules, mayWrite, permittedDocument } from './permitted-document.ts'
import { admittingGrants, readableTexts } from './permitted-rows.ts'
import { layoutOf, rowKeyIn } from './record-layout.ts'
import { RecordMistakes, type RecordPath } from './record-mistakes.ts'
import type { Origin, RecordParts } from './record-parts.ts'
import { type FieldRule, isMadeKey, type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { runMutate } from './run-mutate.ts'
import { selectRows } from './select-rows.ts'
import { inAttempts } from './write-attempts.ts'

const listLimit = 10_000

/**
 * Creates one record, or all of a list of them, or none. `finish` gets the new records in the order of the documents; it
 * runs in their transaction, and may run again with it.
 */
export async function createRecords<Result>(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RecordParts,
  finish: FinishCreation<Result>,
  carryOut: CarryOut = inTransaction,
): Promise<Result> {
  return inAttempts(entity, (permitted) => createOnce(permitted, document, origin, parts, finish, carryOut))
}

/** Makes the result from new records: from their rows, and their JSON texts as the caller may read them. */
export type FinishCreation<Result> = (
  rows: readonly Row[],
  texts: readonly string[],
  connection: Connection,
) => Promise<Result>

async function createOnce<Result>(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RecordParts,
  finish: FinishCreation<Result>,
  carryOut: CarryOut,
): Promise<Result> {
  const isList = Array.isArray(document)
  const documents: readonly unknown[] = isList ? document : [document]
  if (documents.length === 0 || documents.length > listLimit) {
    const detail = `Send one record, or a list of 1 to ${listLimit}; this list has ${documents.length}.`
    throw new AppError('RECORD_INVALID', { mistakes: [{ pointer: '', detail }] })
  }
  const { table } = entity
  if (documents.length > 1 && table.isPermanent) {
    const detail = `The engine of ${table.id} has no transactions, so that a list could be kept in part. Send one record at a time.`
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
    const rows = await insert(checked, connection)
    const keys = rows.map((row) => rowKeyIn(row, entity))
    await requireAdmitted(keys, documents, pathOf, { entity, connection, dialect })
    return finish(rows, await readableTexts(keys, rows, entity, connection, dialect), connection)
  }
  try {
    return await carryOut(create, () => ({ kind: 'insert', table: entity.table }), parts)
  } catch (error) {
    if (!(isList && isRefusal(error)) || entity.table.isPermanent) throw error
    throw await locateRefusal(error, { items: checked, insert }, driver)
  }
}

/**
 * Throws ROW_NOT_ALLOWED if a new record is not admitted by the caller's rights, and FIELD_NOT_ALLOWED if those that admit
 * it do not give a field that was sent.
 */
async function requireAdmitted(
  keys: readonly RowKey[],
  documents: readonly unknown[],
  pathOf: (index: number) => RecordPath,
  {
    entity,
    connection,
    dialect,
  }: { readonly entity: PublishedEntity; readonly connection: Connection; readonly dialect: Dialect },
): Promise<void> {
  if (entity.rights?.write === undefined) return
  const refused: Mistake[] = []
  const refusals = new FieldRefusals()
  const set = entity.rights.write.flatMap((grant) => [...grant.set.keys()])
  const admitting = await admittingGrants(keys, entity, connection, dialect)
  for (const [index, grants = []] of admitting.entries()) {
    if (grants.length === 0 || !set.every((name) => mayWrite(name, grants))) {
      const detail = 'The rights of the caller do not admit such a record.'
      refused.push({ pointer: jsonPointer(pathOf(index)), detail })
      continue
    }
    for (const name of Object.keys(documents[index] as object)) {
      if (!mayWrite(name, grants))
        refusals.add(pathOf(index), name, 'The caller may not write this field. Leave it out.')
    }
  }
  if (refused.length > 0) throw new AppError('ROW_NOT_ALLOWED', { mistakes: refused.slice(0, toldMistakes) })
  refusals.throwIfAny()
}

async function checkNewRecords(
  documents: readonly unknown[],
  pathOf: (index: number) => RecordPath,
  { rules, rights }: PublishedEntity,
  { now, uuid, nextInstance, database }: RecordParts,
): Promise<{ readonly checked: readonly CheckedRecord[]; readonly mistakes: RecordMistakes }> {
  const mistakes = new RecordMistakes()
  const context = { now: now(), uuid }
  const tellsKeys = database.dialect.syntax.insertedKeys.by === 'returning'
  const absent = (rule: FieldRule): Absence => {
    const { name, column } = rule
    if (!rules.key.includes(name) || rule.defaultOf !== undefined) return defaultOrNull(rule, context)
    if (isMadeKey(rule, rules)) return { value: nextInstance() }
    const isTold = tellsKeys || column?.written === 'numbered'
    return rule.isFilled && isTold ? 'kept' : 'refused'
  }
  const check = { rules: knownRules({ rules, rights }), current: undefined, absent, mistakes }
  const refusals = new FieldRefusals()
  const write = rights?.write && { rights, grants: rights.write, current: undefined }
  const checked = await mapInSlices(documents, (json, index): CheckedRecord => {
    const path = pathOf(index)
    const sent = write ? permittedDocument(json, path, rules, write, refusals, mistakes) : json
    const values = mistakes.areMany ? new Map() : checkRecord(sent, path, check)
    return { path, values, current: undefined }
  })
  refusals.throwIfAny()
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
