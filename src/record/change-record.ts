import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { withOwnMembersOnly } from '../util/own-member.ts'
import { type Absence, type CurrentRecord, checkRecord, defaultOrNull } from './check-record.ts'
import { checkValues } from './check-values.ts'
import { requireNoConditions } from './enclosing-transaction.ts'
import { inTransaction } from './in-transaction.ts'
import { type KeyChecks, withKeyChecks } from './key-checks.ts'
import { namingKnownFields } from './known-fields.ts'
import { patchedMembers } from './merge-patch.ts'
import { FieldRefusals, isUntouched, knownRules, permittedDocument } from './permitted-document.ts'
import { admittingGrants, readableTexts, requireUndoable, rowNotAllowed } from './permitted-rows.ts'
import type { RecordChange } from './record-change.ts'
import { layoutOf, type RecordLayout, rowKeyIn } from './record-layout.ts'
import { RecordMistakes } from './record-mistakes.ts'
import type { RecordParts } from './record-parts.ts'
import type { RecordRights } from './record-rights.ts'
import type { FieldRule, PublishedEntity } from './record-rules.ts'
import { type FoundRecord, lockRecord, type RecordTarget } from './record-target.ts'
import { requireMade } from './require-made.ts'
import { sendMutate } from './run-mutate.ts'
import { selectRow } from './select-rows.ts'
import { changedColumns, unreadChanges } from './unread-changes.ts'
import { inAttempts } from './write-attempts.ts'

/** A record after its change, in its transaction. */
interface ChangedRecord {
  /** Of its row; of its address, in a deferred transaction. */
  readonly key: RowKey
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
  requireNoConditions(entity, parts.enclosing)
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
      written = unreadChanges(target, { kind, document, precondition, origin }, dialect)
      const { key = [] } = target
      await sendMutate({ kind: 'update', table, values: written, key }, connection, dialect, parts)
      const text = () => changedText(key, undefined, entity, connection, dialect)
      return finish({ key, text })
    }
    const { row, text, grants } = await lockRecord(target, precondition, connection, dialect)
    const current = currentRecord(row, text, layout)
    const mistakes = new RecordMistakes()
    const patched = kind === 'merge' ? patchedMembers(current.json, document) : document
    const sent = permitted(patched, current, { entity, grants, mistakes })
    const absent = absenceIn(kind, current, entity, grants, parts)
    const check = { rules: entity.rules, known: knownRules(entity), current, absent, mistakes }
    const values = checkRecord(sent, [], check)
    const valueCheck = { entity, connection, dialect, mistakes, keyChecks }
    await checkValues([{ path: [], values, current, grants }], valueCheck)
    mistakes.throwIfAny()

    const changed = changedColumns(values, current, origin, entity)
    written = changed
    const key = rowKeyIn(row, entity)
    if (changed.size === 0) return finish({ key, text: async () => text })
    const ifUnmet = () => requireMade({ key, row }, entity, connection, dialect)
    await sendMutate({ kind: 'update', table, values: changed, key }, connection, dialect, parts, ifUnmet)
    const keyAfter = key.map(({ column, value }) => ({ column, value: changed.get(column) ?? value }))
    await requireStillAdmitted(keyAfter, entity, connection, dialect)
    return finish({
      key: keyAfter,
      text: () => changedText(keyAfter, asWritten(row, changed, layout), entity, connection, dialect),
    })
  }
  return inTransaction(change, () => ({ kind: 'update', table, values: written }), parts)
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

/** A row with the values that a change gives it. */
function asWritten(row: Row, changed: ReadonlyMap<Column, SqlValue>, { columns }: RecordLayout): Row {
  return columns.map((column, index) => (changed.has(column) ? changed.get(column) : row[index]) ?? null)
}

/** The record as it is now, or as it was written if a trigger of its table has moved it elsewhere. */
async function changedText(
  key: RowKey,
  written: Row | undefined,
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<string> {
  const { table } = entity
  const { columns } = layoutOf(entity)
  const row = (await selectRow({ table, columns, key }, connection, dialect)) ?? written
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
    json: withOwnMembersOnly(JSON.parse(text)),
    values: new Map(columns.map(({ name }, index) => [name, row[index] ?? null])),
  }
}
