/** Changes of a record that are known before it is read. */
import type { Column, ColumnType } from '../database/database-schema.ts'
import { NeedsResult } from '../database/deferred-connection.ts'
import type { Dialect } from '../database/dialect.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { type CurrentRecord, checkRecord } from './check-record.ts'
import { refusesMissing, refusesTaken } from './key-checks.ts'
import type { RecordChange } from './record-change.ts'
import { layoutOf } from './record-layout.ts'
import { RecordMistakes } from './record-mistakes.ts'
import type { Origin } from './record-parts.ts'
import type { PublishedEntity } from './record-rules.ts'
import type { RecordTarget } from './record-target.ts'

/**
 * What a change writes that does not depend on what the record is. Throws `NeedsResult` for any other change, and for one with mistakes:
 * all of them are told with the record.
 */
export function unreadChanges(
  { entity, key }: RecordTarget,
  { kind, document, precondition, origin }: RecordChange,
  dialect: Dialect,
): ReadonlyMap<Column, SqlValue> {
  const isUnconditional = kind === 'merge' && precondition.isNone
  const isReadBefore = !isUnconditional || !holdsPlainValues(document)
  if (isReadBefore || key === undefined || !isUnique(key, entity) || mayBeOther(key, dialect))
    throw new NeedsResult()
  const mistakes = new RecordMistakes()
  const absent = () => 'kept' as const
  const values = checkRecord(document, [], { rules: entity.rules, current: undefined, absent, mistakes })
  if (!mistakes.areNone || ![...values.keys()].every((name) => isIndependent(name, entity)))
    throw new NeedsResult()
  const changed = changedColumns(values, undefined, origin, entity)
  if (changed.size === 0) throw new NeedsResult()
  return changed
}

/** Whether there is no object that is merged, and no list whose text may be another one than the stored text. */
function holdsPlainValues(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false
  return Object.values(document).every((value) => typeof value !== 'object' || value === null)
}

/** Whether the table itself lets no other row have the same values. */
function isUnique(key: RowKey, { table }: PublishedEntity): boolean {
  return [table.primaryKey, ...table.uniqueKeys].some(
    (unique) => unique.length === key.length && key.every(({ column }) => unique.includes(column.name)),
  )
}

/** Whether the table holds other keys equal to this one: the row that it finds may be another record. */
function mayBeOther(key: RowKey, { syntax }: Dialect): boolean {
  return key.some(({ column }) => syntax.matchesMore?.(column) === true)
}

/** A value of these types that is written as it was read is stored as it was. */
const typesOfOneForm: ReadonlySet<ColumnType> = new Set([
  'string',
  'uuid',
  'integer',
  'bigint',
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

/** A value sent as it was read is not written: the database may not accept it, or store it in another form. */
export function changedColumns(
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
