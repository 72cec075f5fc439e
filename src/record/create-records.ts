import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { jsonPointer } from '../documents/parse-document.ts'
import { AppError, toldMistakes } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type CheckedRecord, checkValues } from './check-values.ts'
import { requireNoConditions, separately } from './enclosing-transaction.ts'
import { type CarryOut, inTransaction } from './in-transaction.ts'
import { insertForeignRows } from './insert-foreign-rows.ts'
import { type KeyChecks, withKeyChecks } from './key-checks.ts'
import { namingKnownFields } from './known-fields.ts'
import { locateRefusal } from './locate-refusal.ts'
import {
  type CheckedNewRecords,
  type Choices,
  checkNewRecords,
  firstChoices,
  type NewRecords,
  nextChoices,
} from './new-records.ts'
import { readableTexts, requireUndoable } from './permitted-rows.ts'
import { layoutOf } from './record-layout.ts'
import type { Origin, RecordParts } from './record-parts.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { isRefusal } from './refusal-of.ts'
import { RefusedWithRights } from './refused-with-rights.ts'
import { requireAdmitted } from './require-admitted.ts'
import { sendMutate } from './run-mutate.ts'
import { selectNewRows } from './select-new-rows.ts'
import { attemptsOf, mayBeLetThrough } from './write-attempts.ts'

/** The most records of one call. */
export const mostNewRecords = 10_000

/**
 * Creates one record, or all of a list of them, or none. `finish` gets the new records; it runs in their transaction, and may run
 * again with it. For each record the first of the caller's rights are used that let it through; all records are tried together, so
 * that the number of transactions does not depend on theirs.
 */
export async function createRecords<Result>(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RecordParts,
  finish: FinishCreation<Result>,
  carryOut: CarryOut = inTransaction,
): Promise<Result> {
  requireNoConditions(entity, parts.enclosing)
  const isList = Array.isArray(document)
  const documents: readonly unknown[] = isList ? document : [document]
  requireSize(documents, entity)
  requireUndoable(entity)
  const attempts = attemptsOf(entity)
  const records: NewRecords = { documents, pathOf: (index) => (isList ? [index] : []), attempts }
  return namingKnownFields(entity, () =>
    withKeyChecks(entity, parts, (keyChecks) =>
      createInRounds(records, { entity, origin, parts, finish, carryOut, keyChecks }),
    ),
  )
}

/** What the records of a call are created with. */
interface Creation<Result> {
  readonly entity: PublishedEntity
  readonly origin: Origin
  readonly parts: RecordParts
  readonly finish: FinishCreation<Result>
  readonly carryOut: CarryOut
  readonly keyChecks: KeyChecks
}

async function createInRounds<Result>(records: NewRecords, creation: Creation<Result>): Promise<Result> {
  const { attempts } = records
  const { enclosing } = creation.parts
  // Each round tries all refused records with other rights. What the database itself refuses is found one by one.
  const rounds = attempts.length + toldMistakes
  let choices = firstChoices(records)
  for (let round = 1; ; round += 1) {
    try {
      const create = () => createOnce(records, choices, creation)
      return await (attempts.length > 1 ? separately('attempt', enclosing, create) : create())
    } catch (error) {
      if (!(error instanceof RefusedWithRights)) throw error
      if (round === rounds) throw error.refusal
      choices = error.next
    }
  }
}

/** New records in their transaction, in the order of the documents. */
export interface CreatedRecords {
  readonly keys: readonly RowKey[]
  readonly connection: Connection
  /** Reads them as the table has them. Throws if it has not kept them. */
  rows(): Promise<readonly Row[]>
  /** The same as JSON texts, as the caller may read them. */
  texts(): Promise<readonly string[]>
}

/** Makes the result from new records. */
export type FinishCreation<Result> = (created: CreatedRecords) => Promise<Result>

function requireSize(documents: readonly unknown[], { table }: PublishedEntity): void {
  if (documents.length === 0 || documents.length > mostNewRecords) {
    const detail = `Send one record, or a list of 1 to ${mostNewRecords}; this list has ${documents.length}.`
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
  { entity, origin, parts, finish, carryOut, keyChecks }: Creation<Result>,
): Promise<Result> {
  const { dialect } = parts.database
  const pointerOf = (index: number) => jsonPointer(records.pathOf(index))
  const insert = (some: readonly CheckedRecord[], connection: Connection) =>
    insertRecords(some, origin, { entity, connection, parts, pointerOf })
  const checkedFirst = await checkNewRecords(records, choices, entity, parts)
  let tried = checkedFirst
  const create = async (connection: Connection) => {
    tried = await withExistingValues(checkedFirst, records, { entity, connection, parts, keyChecks })
    const keys = await insert(tried.checked, connection)
    let read: Promise<readonly Row[]> | undefined
    const rows = () => (read ??= selectNewRows(keys, entity, connection, dialect, pointerOf))
    const texts = async () => readableTexts(keys, await rows(), entity, connection, dialect)
    if (entity.rights !== undefined) {
      await rows()
      await requireAdmitted(keys, records, tried, { entity, connection, dialect })
    }
    return finish({ keys, connection, rows, texts })
  }
  const made = () => ({ kind: 'insert', table: entity.table }) as const
  const carried = () => carryOut(create, made, parts)
  // After a refusal by the table alone everything is done again.
  const isSeparate = keyChecks === 'before' && records.pathOf(0).length > 0
  try {
    return await (isSeparate ? separately('list', parts.enclosing, carried) : carried())
  } catch (error) {
    throw keyChecks === 'before' && isRefusal(error)
      ? await refusalWithRights(error, records, tried, { entity, insert, parts })
      : error
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
    keyChecks,
  }: Pick<Creation<unknown>, 'entity' | 'parts' | 'keyChecks'> & { readonly connection: Connection },
): Promise<CheckedNewRecords> {
  const { dialect } = parts.database
  for (let tried = first; ; ) {
    const { checked, choices, mistakes } = tried
    await checkValues(checked, { entity, connection, dialect, mistakes, keyChecks })
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

/** Returns the keys of the new rows. */
async function insertRecords(
  records: readonly CheckedRecord[],
  { xid, xname }: Origin,
  {
    entity,
    connection,
    parts,
    pointerOf,
  }: {
    readonly entity: PublishedEntity
    readonly connection: Connection
    readonly parts: RecordParts
    readonly pointerOf: (index: number) => string
  },
): Promise<readonly RowKey[]> {
  const { table, rules } = entity
  const { dialect } = parts.database
  if (rules.systemColumns.length === 0) {
    const sent = records.map(({ values }) => values)
    return insertForeignRows(sent, entity, connection, parts, pointerOf)
  }
  const { columns } = layoutOf(entity)
  const [column] = rowKeyOf(entity)
  invariant(column !== undefined, 'rows of an entity are identified by their instance')
  const keys: RowKey[] = []
  const rows = await mapInSlices(records, ({ values }) => {
    const instance = parts.nextInstance()
    keys.push([{ column, value: instance }])
    const own = new Map<string, SqlValue>([
      ['instance', instance],
      ['xid', xid],
      ['xname', xname],
    ])
    return columns.map(({ name }) => own.get(name) ?? values.get(name) ?? null)
  })
  await sendMutate({ kind: 'insert', table, columns, rows }, connection, dialect, parts)
  return keys
}
