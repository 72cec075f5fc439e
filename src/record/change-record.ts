import type { Column, ColumnType } from '../database/database-schema.ts'
import { NeedsResult } from '../database/deferred-connection.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { Precondition } from '../http/etag.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { type Absence, type CurrentRecord, checkRecord, defaultOrNull } from './check-record.ts'
import { checkValues } from './check-values.ts'
import { inTransaction } from './in-transaction.ts'
import { type KeyChecks, refusesMissing, refusesTaken, withKeyChecks } from './key-checks.ts'
import { namingKnownFields } from './known-fields.ts'
import { isMerged, patchedMembers } from './merge-patch.ts'
import { FieldRefusals, isUntouched, knownRules, permittedDocument } from './permitted-document.ts'
import { admittingGrants, readableTexts, requireUndoable, rowNotAllowed } from './permitted-rows.ts'
import { addressIn, layoutOf, type RecordLayout, rowKeyIn } from './record-layout.ts'
import { RecordMistakes } from './record-mistakes.ts'
import type { Origin, RecordParts } from './record-parts.ts'
import type { RecordRights } from './record-rights.ts'
import type { FieldRule, PublishedEntity } from './record-rules.ts'
import { type FoundRecord, lockRecord, type RecordTarget } from './record-target.ts'
import { sendMutate } from './run-mutate.ts'
import { selectRow } from './select-rows.ts'
import { inAttempts } from './write-attempts.ts'

/** A document that replaces a record, or a merge patch of it: https://www.rfc-editor.org/rfc/rfc7396 */
export interface RecordChange {
  readonly kind: 'replace' | 'merge'
  readonly document: unknown
  readonly precondition: Precondition
  readonly origin: Origin
}

/** A record after its change, in its transaction. */
export interface ChangedRecord {
  readonly key: RowKey
  /** The values of the columns that form its address. */
  readonly address: RowKey
  /** Reads its JSON text as the caller may read it. */
  text(): Promise<string>
}

/** Makes the result from a changed record. */
type FinishChange<Result> = (changed: ChangedRecord) => Promise<Result>

/** Changes one record. `finish` runs in its transaction, and may run again with it. */
export async function changeRecord<Result>(
  target: RecordTarget,
  change: RecordChange,
  parts: RecordParts,
  finish: FinishChange<Result>,
): Promise<Result> {
  const { entity } = target
  requireUndoable(entity)
  return namingKnownFields(entity, () =>
    withKeyChecks(entity, parts, (keyChecks) =>
      inAttempts(entity, parts, (own) =>
        changeOnce({ ...target, entity: own }, change, { parts, finish, keyChecks }),
      ),
    ),
  )
}

async function changeOnce<Result>(
  target: RecordTarget,
  { kind, document, precondition, origin }: RecordChange,
  {
    parts,
    finish,
    keyChecks,
  }: {
    readonly parts: RecordParts
    readonly finish: FinishChange<Result>
    readonly keyChecks: KeyChecks
  },
): Promise<Result> {
  const { dialect } = parts.database
  const { entity } = target
  const { table } = entity
  const layout = layoutOf(entity)
  let written: ReadonlyMap<Column, SqlValue> = new Map()
  const change = async (connection: Connection) => {
    if (parts.enclosing?.isDeferred) {
      written = unreadChanges(target, { kind, document, precondition, origin })
      const { key = [] } = target
      await sendMutate({ kind: 'update', table, values: written, key }, connection, dialect, parts)
      const text = () => changedText(key, undefined, entity, connection, dialect)
      return finish({ key, address: key, text })
    }
    const { row, text, grants } = await lockRecord(target, precondition, connection, dialect)
    const current = currentRecord(row, text, layout)
    const mistakes = new RecordMistakes()
    const patched = kind === 'merge' ? patchedMembers(current.json, document) : document
    const sent = permitted(patched, current, { entity, grants, mistakes })
    const absent = absenceIn(kind, current, entity, grants, parts)
    const check = { rules: knownRules(entity), current, absent, mistakes }
    const values = checkRecord(sent, [], check)
    const valueCheck = { entity, connection, dialect, mistakes, keyChecks }
    await checkValues([{ path: [], values, current, grants }], valueCheck)
    mistakes.throwIfAny()

    const changed = changedColumns(values, current, origin, entity)
    written = changed
    const key = rowKeyIn(row, entity)
    const address = addressIn(row, entity)
    if (changed.size === 0) return finish({ key, address, text: async () => text })
    await sendMutate({ kind: 'update', table, values: changed, key }, connection, dialect, parts)
    const after = (before: RowKey) =>
      before.map(({ column, value }) => ({ column, value: changed.get(column) ?? value }))
    const keyAfter = after(key)
    await requireStillAdmitted(keyAfter, entity, connection, dialect)
    return finish({
      key: keyAfter,
      address: after(address),
      text: () => changedText(keyAfter, row, entity, connection, dialect),
    })
  }
  return inTransaction(change, () => ({ kind: 'update', table, values: written }), parts)
}

/**
 * What a change writes that does not depend on what the record is. Throws `NeedsResult` for any other change, and for one with mistakes:
 * all of them are told with the record.
 */
function unreadChanges(
  { entity, key }: RecordTarget,
  { kind, document, precondition, origin }: RecordChange,
): ReadonlyMap<Column, SqlValue> {
  const isUnconditional =
    kind === 'merge' && precondition.isNone && entity.rights === undefined && !isMerged(document)
  if (!isUnconditional || key === undefined || !isUnique(key, entity)) throw new NeedsResult()
  const mistakes = new RecordMistakes()
  const absent = () => 'kept' as const
  const values = checkRecord(document, [], { rules: entity.rules, current: undefined, absent, mistakes })
  if (!mistakes.areNone || ![...values.keys()].every((name) => isIndependent(name, entity)))
    throw new NeedsResult()
  const changed = changedColumns(values, undefined, origin, entity)
  if (changed.size === 0) throw new NeedsResult()
  return changed
}

/** Whether the table itself lets no other row have the same values. */
function isUnique(key: RowKey, { table }: PublishedEntity): boolean {
  return [table.primaryKey, ...table.uniqueKeys].some(
    (unique) => unique.length === key.length && key.every(({ column }) => unique.includes(column.name)),
  )
}

/** A value of these types, written as it was read, is stored as it was. */
const typesOfOneForm: ReadonlySet<ColumnType> = new Set([
  'string',
  'uuid',
  'integer',
  'bigint',
  'float',
  'decimal',
  'boolean',
  'dateTime',
  'date',
  'binary',
])

/** Whether a field takes any value of its type, whatever the record or other records hold, or the table itself refuses it. */
function isIndependent(name: string, { table, rules }: PublishedEntity): boolean {
  const rule = rules.fields.get(name)
  if (rule?.column === undefined || rule.immutable || rules.key.includes(name)) return false
  if (!typesOfOneForm.has(rule.column.type) || (rule.unique && !refusesTaken(table, name))) return false
  return rules.references.every(
    (reference) => !reference.names.includes(name) || refusesMissing(table, reference),
  )
}

/** Throws FIELD_NOT_ALLOWED. */
function permitted(
  document: unknown,
  { json }: CurrentRecord,
  {
    entity: { rules, rights },
    grants,
    mistakes,
  }: Pick<FoundRecord, 'grants'> & {
    readonly entity: PublishedEntity
    readonly mistakes: RecordMistakes
  },
): unknown {
  if (rights === undefined || grants === undefined) return document
  const refusals = new FieldRefusals()
  const write = { rights, grants, current: json }
  const sent = permittedDocument(document, [], rules, write, refusals, mistakes)
  refusals.throwIfAny()
  return sent
}

/** Throws ROW_NOT_ALLOWED if the caller's rights to write do not admit a record after its change. */
async function requireStillAdmitted(
  key: RowKey,
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<void> {
  const [grants] = await admittingGrants([key], entity, connection, dialect)
  if (grants?.length === 0) throw rowNotAllowed('The record would become one that the caller may not write.')
}

async function changedText(
  key: RowKey,
  before: Row | undefined,
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<string> {
  const { table } = entity
  const { columns } = layoutOf(entity)
  const row = (await selectRow({ table, columns, key }, connection, dialect)) ?? before
  const [text = '{}'] = await readableTexts(
    [key],
    row === undefined ? [] : [row],
    entity,
    connection,
    dialect,
  )
  return text
}

/**
 * A replacement keeps immutable fields, those that the caller may not write, and those that it may write and sees as null
 * because they are hidden on this record. It gives other missing ones what a new record would get.
 */
function absenceIn(
  kind: RecordChange['kind'],
  current: CurrentRecord,
  { rules, rights }: PublishedEntity,
  grants: FoundRecord['grants'],
  { now, uuid }: RecordParts,
): (rule: FieldRule) => Absence {
  if (kind === 'merge') return () => 'kept'
  const context = { now: now(), uuid }
  const isKept = (rule: FieldRule) =>
    rules.key.includes(rule.name) ||
    rule.immutable ||
    isUntouched(rule, grants) ||
    isHidden(rule.name, current, rights)
  return (rule) => (isKept(rule) ? 'kept' : defaultOrNull(rule, context))
}

/** Whether a field has a value on a record and is seen as null there. */
function isHidden(name: string, { json, values }: CurrentRecord, rights: RecordRights | undefined): boolean {
  const isMasked = rights?.read?.table.masks.has(name) === true
  return isMasked && json[name] === null && (values.get(name) ?? null) !== null
}

function currentRecord(row: Row, text: string, { columns }: RecordLayout): CurrentRecord {
  return {
    json: JSON.parse(text),
    values: new Map(columns.map(({ name }, index) => [name, row[index] ?? null])),
  }
}

/** A value sent as it was read is not written: the database may not accept it, or store it in another form. */
function changedColumns(
  values: ReadonlyMap<string, SqlValue>,
  current: CurrentRecord | undefined,
  { xid, xname }: Origin,
  entity: PublishedEntity,
): ReadonlyMap<Column, SqlValue> {
  const { columns } = layoutOf(entity)
  const changed = new Map<Column, SqlValue>()
  const written = new Map([...values].filter(([name, value]) => value !== current?.values.get(name)))
  if (entity.rules.systemColumns.length > 0) written.set('xid', xid).set('xname', xname)
  for (const column of columns) {
    const value = written.get(column.name)
    if (value !== undefined) changed.set(column, value)
  }
  return changed
}
