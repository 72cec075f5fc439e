/** The rules that need other records: references exist, and unique values are not taken. */
import type { Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { codecOf } from '../query/codec/codec-of.ts'
import type { CurrentRecord, FieldValues } from './check-record.ts'
import { type KeyChecks, refusesMissing, refusesTaken } from './key-checks.ts'
import { RecordMistakes, type RecordPath } from './record-mistakes.ts'
import type { WriteGrant } from './record-rights.ts'
import { type FieldRule, type PublishedEntity, type Reference, rowKeyOf } from './record-rules.ts'
import { type Reader, selectRows } from './select-rows.ts'
import { valueText } from './value-text.ts'

/** A record whose values fit their fields. */
export interface CheckedRecord {
  readonly path: RecordPath
  readonly values: FieldValues
  /** The record that is changed; undefined for a new one. */
  readonly current: CurrentRecord | undefined
  /** The rights to write that it is written with; undefined for everything. */
  readonly grants: readonly WriteGrant[] | undefined
}

export interface ValueCheck {
  readonly entity: PublishedEntity
  readonly connection: Connection
  readonly dialect: Dialect
  readonly mistakes: RecordMistakes
  readonly keyChecks: KeyChecks
}

/**
 * Checks all records of a call, in one statement for each reference and each unique field. Of records without any mistake it leaves to
 * the table what `keyChecks` says.
 */
export async function checkValues(records: readonly CheckedRecord[], check: ValueCheck): Promise<void> {
  if (check.keyChecks === 'byTable' && check.mistakes.areNone) {
    const mistakes = new RecordMistakes()
    await checkFields(records, { ...check, mistakes }, true)
    if (mistakes.areNone) return
  }
  await checkFields(records, check, false)
}

/** With `isLeft` it leaves out what the table refuses by itself. */
async function checkFields(
  records: readonly CheckedRecord[],
  check: ValueCheck,
  isLeft: boolean,
): Promise<void> {
  const { table, rules } = check.entity
  for (const rule of rules.fields.values()) {
    const { name, reference } = rule
    if (reference !== undefined) {
      const reader = referencesReader(check.entity, reference.table)
      const isChecked = reader !== undefined || !(isLeft && refusesMissing(table, name, reference))
      if (isChecked) await checkReferences(records, rule, reference, { ...check, reader })
    }
    if (rule.unique && !(isLeft && refusesTaken(table, name))) await checkUnique(records, rule, check)
  }
}

/** What is checked of references, for whom. */
interface ReferenceCheck extends ValueCheck {
  readonly reader: Reader | undefined
}

/** A row that the caller cannot reach is no row, unless its rights set the reference. */
async function checkReferences(
  records: readonly CheckedRecord[],
  rule: FieldRule,
  reference: Reference,
  check: ReferenceCheck,
): Promise<void> {
  const isSet = ({ grants }: CheckedRecord) => grants?.some(({ set }) => set.has(rule.name)) === true
  const [set, sent] = [records.filter(isSet), records.filter((record) => !isSet(record))]
  await requireRows(set, records, rule, reference, { ...check, reader: undefined })
  await requireRows(sent, records, rule, reference, check)
}

/** That the rows exist to which some of the records of a call refer: other records of it, or rows of the reader. */
async function requireRows(
  referring: readonly CheckedRecord[],
  records: readonly CheckedRecord[],
  rule: FieldRule,
  { table, column }: Reference,
  { entity, connection, dialect, mistakes, reader }: ReferenceCheck,
): Promise<void> {
  const { name, codec } = rule
  const missing = newValues(referring, rule)
  if (missing.size === 0) return
  // The other column may have another type, with values in another form.
  const other = codecOf(column)
  const found = (value: SqlValue) =>
    value !== null && (missing.delete(codec.writeJson(value)) || missing.delete(other.show(value)))
  if (table.id === entity.table.id) {
    for (const record of records) found(ownValue(record, column.name))
  }
  const values = [...missing.values()].map((wanted) => wanted.value)
  const selection = { table, columns: [column], column, values, reader }
  const rows = values.length === 0 ? [] : await selectRows(selection, connection, dialect)
  for (const [value = null] of rows) found(value)
  for (const [shown, wanted] of missing) {
    const detail = `There is no ${table.id} whose ${column.name} is ${shown}.`
    for (const { path } of wanted.records) mistakes.invalid(path, name, detail)
  }
}

/**
 * What a record will hold of a field to which it, or another one of the call, may refer. A value that is kept counts only
 * where the caller sees it: otherwise a reference would tell whether it was guessed.
 */
function ownValue({ values, current }: CheckedRecord, name: string): SqlValue {
  const isKept = !values.has(name) && (current?.json[name] ?? null) !== null
  return (isKept ? current?.values.get(name) : values.get(name)) ?? null
}

function referencesReader({ rights }: PublishedEntity, table: Table): Reader | undefined {
  const rows = rights?.rowsOf(table)
  return rights && rows && { rights: { rows, masks: new Map() }, variables: rights.variables() }
}

async function checkUnique(
  records: readonly CheckedRecord[],
  rule: FieldRule,
  { entity, connection, dialect, mistakes }: ValueCheck,
): Promise<void> {
  const { name, codec, column } = rule
  const wanted = newValues(records, rule)
  if (wanted.size === 0 || column === undefined) return
  for (const { records: sharing } of wanted.values()) {
    for (const { path } of sharing.slice(1))
      mistakes.taken(path, name, 'Another record of this call has the same value.')
  }
  const key = rowKeyOf(entity)
  const values = [...wanted.values()].map(({ value }) => value)
  const selection = { table: entity.table, columns: [column, ...key], column, values }
  for (const [value = null, ...owner] of await selectRows(selection, connection, dialect)) {
    if (value === null) continue
    const shown = codec.writeJson(value)
    const [record] = wanted.get(shown)?.records ?? []
    const { current } = record ?? {}
    const isOwner = key.every(
      ({ name: part }, index) =>
        valueText(current?.values.get(part) ?? null) === valueText(owner[index] ?? null),
    )
    if (record === undefined || isOwner) continue
    const detail = `Another ${entity.name} has the ${name} ${shown} already.`
    mistakes.taken(record.path, name, detail)
  }
}

interface WantedValue {
  readonly value: SqlValue
  readonly records: CheckedRecord[]
}

/** The records with a new value, by the value as shown: a column may hold it in several forms. */
function newValues(records: readonly CheckedRecord[], { name, codec }: FieldRule): Map<string, WantedValue> {
  const found = new Map<string, WantedValue>()
  for (const record of records) {
    const value = record.values.get(name) ?? null
    const before = record.current?.values.get(name) ?? null
    // A value that the caller cannot see is new to it, so that nothing tells whether it guessed it.
    const isSeen = (record.current?.json[name] ?? null) !== null
    if (value === null || (before !== null && isSeen && valueText(value) === valueText(before))) continue
    const shown = codec.writeJson(value)
    const sharing = found.get(shown)
    if (sharing === undefined) found.set(shown, { value, records: [record] })
    else sharing.records.push(record)
  }
  return found
}
