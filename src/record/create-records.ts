import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { AppError, toldMistakes } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type CheckedRecord, checkValues } from './check-values.ts'
import { separately } from './enclosing-transaction.ts'
import { type CarryOut, inTransaction } from './in-transaction.ts'
import { insertForeignRows } from './insert-foreign-rows.ts'
import { isRefusal, locateRefusal } from './locate-refusal.ts'
import {
  type CheckedNewRecords,
  type Choices,
  checkNewRecords,
  firstChoices,
  type NewRecords,
  nextChoices,
} from './new-records.ts'
import { readableTexts, requireUndoable } from './permitted-rows.ts'
import { layoutOf, rowKeyIn } from './record-layout.ts'
import type { Origin, RecordParts } from './record-parts.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { RefusedWithRights } from './refused-with-rights.ts'
import { requireAdmitted } from './require-admitted.ts'
import { runMutate } from './run-mutate.ts'
import { selectRows } from './select-rows.ts'
import { attemptsOf, mayBeLetThrough } from './write-attempts.ts'

const listLimit = 10_000

/**
 * Creates one record, or all of a list of them, or none. `finish` gets the new records in the order of the documents; it
 * runs in their transaction, and may run again with it. For each record the first of the caller's rights are used that
 * let it through; all records are tried together, so that the number of transactions does not depend on theirs.
 */
export async function createRecords<Result>(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RecordParts,
  finish: FinishCreation<Result>,
  carryOut: CarryOut = inTransaction,
): Promise<Result> {
  const isList = Array.isArray(document)
  const documents: readonly unknown[] = isList ? document : [document]
  requireSize(documents, entity)
  requireUndoable(entity)
  const attempts = attemptsOf(entity)
  const records: NewRecords = { documents, pathOf: (index) => (isList ? [index] : []), attempts }
  // Each round tries all refused records with other rights. What the database itself refuses is found one by one.
  const rounds = attempts.length + toldMistakes
  let choices = firstChoices(records)
  for (let round = 1; ; round += 1) {
    try {
      const create = () => createOnce(records, choices, entity, origin, parts, finish, carryOut)
      return await (attempts.length > 1 ? separately('attempt', parts.enclosing, create) : create())
    } catch (error) {
      if (!(error instanceof RefusedWithRights)) throw error
      if (round === rounds) throw error.refusal
      choices = error.next
    }
  }
}

/** Makes the result from new records: from their rows, and their JSON texts as the caller may read them. */
export type FinishCreation<Result> = (
  rows: readonly Row[],
  texts: readonly string[],
  connection: Connection,
) => Promise<Result>

function requireSize(documents: readonly unknown[], { table }: PublishedEntity): void {
  if (documents.length === 0 || documents.length > listLimit) {
    const detail = `Send one record, or a list of 1 to ${listLimit}; this list has ${documents.length}.`
    throw new AppError('RECORD_INVALID', { mistakes: [{ pointer: '', detail }] })
  }
  if (documents.length > 1 && table.isPermanent) {
    const detail = `The engine of ${table.id} has no transactions, so that a list could be kept in part. Send one record at a time.`
    throw new AppError('RECORD_INVALID', { mistakes: [{ pointer: '', detail }] })
  }
}

/** Throws `RefusedWithRights` if other choices may let the records through. */
async function createOnce<Result>(
  records: NewRecords,
  choices: Choices,
  entity: PublishedEntity,
  origin: Origin,
  parts: RecordParts,
  finish: FinishCreation<Result>,
  carryOut: CarryOut,
): Promise<Result> {
  const { dialect } = parts.database
  const insert = (some: readonly CheckedRecord[], connection: Connection) =>
    insertRecords(some, origin, { entity, connection, parts })
  const checkedFirst = await checkNewRecords(records, choices, entity, parts)
  let tried = checkedFirst
  const create = async (connection: Connection) => {
    tried = await withExistingValues(checkedFirst, records, { entity, connection, parts })
    const rows = await insert(tried.checked, connection)
    const keys = rows.map((row) => rowKeyIn(row, entity))
    await requireAdmitted(keys, records, tried, { entity, connection, dialect })
    return finish(rows, await readableTexts(keys, rows, entity, connection, dialect), connection)
  }
  const made = () => ({ kind: 'insert', table: entity.table }) as const
  const carried = () => carryOut(create, made, parts)
  const isList = records.pathOf(0).length > 0
  try {
    return await (isList ? separately('list', parts.enclosing, carried) : carried())
  } catch (error) {
    throw isRefusal(error) ? await refusalWithRights(error, records, tried, { entity, insert, parts }) : error
  }
}

/** Checks the records against other rows, with other rights where those of an attempt do not do. Throws their mistakes. */
async function withExistingValues(
  first: CheckedNewRecords,
  records: NewRecords,
  {
    entity,
    connection,
    parts,
  }: { readonly entity: PublishedEntity; readonly connection: Connection; readonly parts: RecordParts },
): Promise<CheckedNewRecords> {
  const { dialect } = parts.database
  for (let tried = first; ; ) {
    const { checked, choices, mistakes } = tried
    await checkValues(checked, { entity, connection, dialect, mistakes })
    const next = nextChoices(choices, mistakes.refused, records)
    if (next === undefined) {
      mistakes.throwIfAny()
      return tried
    }
    tried = await checkNewRecords(records, next, entity, parts)
  }
}

/** The error of a refusal by the database, with the place of the record in a list. */
async function refusalWithRights(
  error: AppError,
  records: NewRecords,
  { checked, choices }: CheckedNewRecords,
  {
    entity,
    insert,
    parts,
  }: {
    readonly entity: PublishedEntity
    readonly insert: (records: readonly CheckedRecord[], connection: Connection) => Promise<unknown>
    readonly parts: RecordParts
  },
): Promise<Error> {
  if (entity.table.isPermanent) return error
  const isList = records.pathOf(0).length > 0
  const { refusal, index } = isList
    ? await locateRefusal(error, { items: checked, insert }, parts)
    : { refusal: error, index: 0 }
  const isFinal = index === undefined || !mayBeLetThrough(refusal)
  const next = isFinal ? undefined : nextChoices(choices, new Set([index]), records)
  return next === undefined ? refusal : new RefusedWithRights(refusal, next)
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
