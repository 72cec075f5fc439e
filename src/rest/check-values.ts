/** The rules that need other records: what is referred to is there, and what is unique is not taken. */
import type { Dialect } from '../database/dialect.ts'
import type { Connection, SqlValue } from '../database/driver.ts'
import type { FieldRule, PublishedEntity, Reference } from '../query/write-rules.ts'
import type { CurrentRecord, FieldValues } from './check-record.ts'
import { columnOf } from './record-layout.ts'
import type { RecordMistakes, RecordPath } from './record-mistakes.ts'
import { selectRows } from './select-rows.ts'

/** A record whose values fit their fields. */
export interface CheckedRecord {
  readonly path: RecordPath
  readonly values: FieldValues
  /** The record that is changed; undefined for a new one. */
  readonly current: CurrentRecord | undefined
}

export interface ValueCheck {
  readonly entity: PublishedEntity
  readonly connection: Connection
  readonly dialect: Dialect
  readonly mistakes: RecordMistakes
}

/** Checks all records of a call, in one statement for each reference and each unique field. */
export async function checkValues(records: readonly CheckedRecord[], check: ValueCheck): Promise<void> {
  for (const rule of check.entity.rules.fields.values()) {
    if (rule.reference !== undefined) await checkReferences(records, rule, rule.reference, check)
    if (rule.unique) await checkUnique(records, rule, check)
  }
}

async function checkReferences(
  records: readonly CheckedRecord[],
  { name, codec }: FieldRule,
  { table, column }: Reference,
  { entity, connection, dialect, mistakes }: ValueCheck,
): Promise<void> {
  const wanted = newValues(records, name)
  const missing = new Set(wanted.keys())
  if (missing.size === 0) return
  if (table.name === entity.table.name) {
    for (const { values } of records) missing.delete(values.get(column.name) ?? null)
  }
  const selection = { table, columns: [column], column, values: [...missing] }
  const rows = missing.size === 0 ? [] : await selectRows(selection, connection, dialect)
  for (const [value = null] of rows) missing.delete(value)
  for (const value of missing) {
    if (value === null) continue
    const detail = `There is no ${table.name} whose ${column.name} is ${codec.writeJson(value)}.`
    for (const { path } of wanted.get(value) ?? []) mistakes.invalid(path, name, detail)
  }
}

async function checkUnique(
  records: readonly CheckedRecord[],
  { name, codec, column }: FieldRule,
  { entity, connection, dialect, mistakes }: ValueCheck,
): Promise<void> {
  const wanted = newValues(records, name)
  if (wanted.size === 0 || column === undefined) return
  for (const [, ...others] of wanted.values()) {
    for (const { path } of others)
      mistakes.taken(path, name, 'Another record of this call has the same value.')
  }
  const instance = columnOf(entity.table.columns, 'instance')
  const selection = { table: entity.table, columns: [column, instance], column, values: [...wanted.keys()] }
  for (const [value = null, owner] of await selectRows(selection, connection, dialect)) {
    if (value === null) continue
    const [record] = wanted.get(value) ?? []
    if (record === undefined || record.current?.json.instance === owner) continue
    const detail = `Another ${entity.name} has the ${name} ${codec.writeJson(value)} already.`
    mistakes.taken(record.path, name, detail)
  }
}

/** The records that want a value that they do not have yet, by the value. */
function newValues(
  records: readonly CheckedRecord[],
  name: string,
): ReadonlyMap<SqlValue, readonly CheckedRecord[]> {
  const found = new Map<SqlValue, CheckedRecord[]>()
  for (const record of records) {
    const value = record.values.get(name) ?? null
    if (value === null || value === record.current?.values.get(name)) continue
    const sharing = found.get(value)
    if (sharing === undefined) found.set(value, [record])
    else sharing.push(record)
  }
  return found
}
