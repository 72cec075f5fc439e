import type { Column } from '../database/database-schema.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { type Absence, type CurrentRecord, checkRecord, defaultOrNull } from './check-record.ts'
import { checkValues } from './check-values.ts'
import { inTransaction } from './in-transaction.ts'
import { patchedMembers } from './merge-patch.ts'
import { layoutOf, type RecordLayout } from './record-layout.ts'
import { RecordMistakes } from './record-mistakes.ts'
import type { Origin, RecordParts } from './record-parts.ts'
import type { FieldRule, PublishedEntity } from './record-rules.ts'
import { lockRecord, type Precondition, type RecordTarget, rowKeyIn } from './record-target.ts'
import { runMutate } from './run-mutate.ts'
import { selectRow } from './select-rows.ts'

/** A document that replaces a record, or a merge patch of it: https://www.rfc-editor.org/rfc/rfc7396 */
export interface RecordChange {
  readonly kind: 'replace' | 'merge'
  readonly document: unknown
  readonly precondition: Precondition
  readonly origin: Origin
}

/** Changes one record; returns its new JSON text. */
export async function changeRecord(
  target: RecordTarget,
  { kind, document, precondition, origin }: RecordChange,
  parts: RecordParts,
): Promise<string> {
  const { dialect } = parts.database
  const { entity } = target
  const { table, rules } = entity
  const layout = layoutOf(entity)
  let written: ReadonlyMap<Column, SqlValue> = new Map()
  const change = async (connection: Connection) => {
    const { row, text } = await lockRecord(target, precondition, connection, dialect)
    const current = currentRecord(row, text, layout)
    const mistakes = new RecordMistakes()
    const sent = kind === 'merge' ? patchedMembers(current.json, document) : document
    const values = checkRecord(sent, [], { rules, current, absent: absenceIn(kind, entity, parts), mistakes })
    await checkValues([{ path: [], values, current }], { entity, connection, dialect, mistakes })
    mistakes.throwIfAny()

    const changed = changedColumns(values, current, origin, entity)
    written = changed
    if (changed.size === 0) return text
    const key = rowKeyIn(row, entity)
    await runMutate({ kind: 'update', table, values: changed, key }, connection, dialect)
    const keyAfter = key.map(({ column, value }) => ({ column, value: changed.get(column) ?? value }))
    const selection = { table, columns: layout.columns, key: keyAfter }
    return layout.write((await selectRow(selection, connection, dialect)) ?? row)
  }
  return inTransaction(change, () => ({ kind: 'update', table, values: written }), parts)
}

/** A replacement keeps immutable fields, and gives missing ones what a new record would get. */
function absenceIn(
  kind: RecordChange['kind'],
  { rules }: PublishedEntity,
  { now, uuid }: RecordParts,
): (rule: FieldRule) => Absence {
  if (kind === 'merge') return () => 'kept'
  const context = { now: now(), uuid }
  return (rule) => (rules.key.includes(rule.name) || rule.immutable ? 'kept' : defaultOrNull(rule, context))
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
  current: CurrentRecord,
  { xid, xname }: Origin,
  entity: PublishedEntity,
): ReadonlyMap<Column, SqlValue> {
  const { columns } = layoutOf(entity)
  const changed = new Map<Column, SqlValue>()
  const written = new Map([...values].filter(([name, value]) => value !== current.values.get(name)))
  if (entity.rules.systemColumns.length > 0) written.set('xid', xid).set('xname', xname)
  for (const column of columns) {
    const value = written.get(column.name)
    if (value !== undefined) changed.set(column, value)
  }
  return changed
}
