/** The rules that need other records: references exist, and unique values are not taken. */
import type { Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { codecOf } from '../query/codec/codec-of.ts'
import { columnsForKeysOf } from '../query/key-columns.ts'
import { type CurrentRecord, type FieldValues, lacksRights } from './check-record.ts'
import { type KeyChecks, refusesMissing, refusesTaken } from './key-checks.ts'
import { RecordMistakes, type RecordPath } from './record-mistakes.ts'
import { isKnown, isReadable, type WriteGrant } from './record-rights.ts'
import { type FieldRule, type PublishedEntity, type Reference, rowKeyOf } from './record-rules.ts'
import { takenByOther } from './refusal-of.ts'
import { areReferredTo, type Reader, selectRows, selectRowsOfKeys } from './select-rows.ts'
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
  for (const reference of rules.references) {
    const reader = referencesReader(check.entity, reference.table)
    const isChecked = reader !== undefined || !(isLeft && refusesMissing(table, reference))
    if (isChecked) await checkReferences(records, reference, { ...check, reader })
  }
  for (const rule of rules.fields.values())
    if (rule.unique && !(isLeft && refusesTaken(table, rule.name))) await checkUnique(records, rule, check)
}

/** What is checked of references, for whom. */
interface ReferenceCheck extends ValueCheck {
  readonly reader: Reader | undefined
}

/** A row that the caller cannot reach is no row, unless its rights set all that is new in the reference. */
async function checkReferences(
  records: readonly CheckedRecord[],
  reference: Reference,
  check: ReferenceCheck,
): Promise<void> {
  const isSet = (record: CheckedRecord) =>
    reference.names.every((name) => newValue(record, name) === null || isSetByRights(record, name))
  const [set, sent] = [records.filter(isSet), records.filter((record) => !isSet(record))]
  await requireRows(set, records, reference, { ...check, reader: undefined })
  await requireRows(sent, records, reference, check)
}

/** That the rows exist to which some of the records of a call refer: other records of it, or rows of the reader. */
async function requireRows(
  referring: readonly CheckedRecord[],
  records: readonly CheckedRecord[],
  reference: Reference,
  check: ReferenceCheck,
): Promise<void> {
  const { entity, connection, dialect, mistakes, reader } = check
  const { names, table, columns } = reference
  const missing = wantedRows(referring, reference, check)
  if (missing.size === 0) return
  const found = (values: readonly SqlValue[]) => {
    for (const shown of formsOf(values, reference, entity)) missing.delete(shown)
  }
  if (table.id === entity.table.id) {
    for (const record of records) found(columns.map(({ name }) => ownValue(record, name)))
  }
  const keys = [...missing.values()].map(({ values }) =>
    columns.map((column, index) => ({ column, value: values[index] ?? null })),
  )
  for (const row of await selectRowsOfKeys({ table, columns, reader }, keys, connection, dialect)) found(row)
  // The table may refer by a comparison that takes other values for the same, such as texts in any case.
  const left = [...missing]
  const values = left.map(([, wanted]) => wanted.values)
  const own = names.flatMap((name) => entity.table.columns.get(name) ?? [])
  const asked = { table, columns: columnsForKeysOf(own, columns), reader }
  const isThere = await areReferredTo(asked, values, connection, dialect)
  for (const [index, [shown]] of left.entries()) if (isThere[index]) missing.delete(shown)
  for (const { shown, records: wanting } of missing.values()) {
    for (const record of wanting) {
      const seen = names.map((name) => isSeen(record, name, entity))
      const held = columns.flatMap(({ name }, index) => (seen[index] ? [`${name} is ${shown[index]}`] : []))
      const isWhole = held.length === names.length
      const detail = `There is no ${table.id} ${isWhole ? '' : 'for this record '}whose ${held.join(' and ')}.`
      const told = names.filter((name, index) => seen[index] && record.values.has(name))
      for (const name of told) mistakes.invalid(record.path, name, detail)
      if (told.length === 0) mistakes.invalid(record.path, undefined, held.length > 0 ? detail : lacksRights)
    }
  }
}

function isSetByRights({ grants }: CheckedRecord, name: string): boolean {
  return grants?.some(({ set }) => set.has(name)) === true
}

/** Whether the caller knows what a record will hold of a column. */
function isSeen({ values, current }: CheckedRecord, name: string, { rights }: PublishedEntity): boolean {
  if (values.has(name)) return isKnown(rights, name)
  return isReadable(rights, name) && (current?.json[name] ?? null) !== null
}

/** A row that must exist. */
interface WantedRow {
  readonly values: readonly SqlValue[]
  readonly shown: readonly string[]
  readonly records: CheckedRecord[]
}

/** The rows to which records refer anew, by their values as shown: a column may hold a value in several forms. */
function wantedRows(
  records: readonly CheckedRecord[],
  { names, table }: Reference,
  { entity, mistakes, reader }: ReferenceCheck,
): Map<string, WantedRow> {
  const { fields } = entity.rules
  const found = new Map<string, WantedRow>()
  for (const record of records) {
    const sent = names.filter((name) => newValue(record, name) !== null)
    if (sent.length === 0) continue
    const unknown = names.find((name) => isFilled(record, name, entity))
    if (unknown !== undefined) {
      // What the database would tell of the row, it would tell of one that the caller cannot reach.
      const detail = isKnown(entity.rights, unknown)
        ? `Send ${unknown}, too: the fields refer together to a ${table.id}.`
        : lacksRights
      if (reader !== undefined) for (const name of sent) mistakes.invalid(record.path, name, detail)
      continue
    }
    const values = names.map((name) => heldValue(record, name))
    if (values.includes(null)) continue
    const shown = values.map((value, index) => shownBy(fields.get(names[index] ?? ''), value))
    const text = JSON.stringify(shown)
    const sharing = found.get(text)
    if (sharing === undefined) found.set(text, { values, shown, records: [record] })
    else sharing.records.push(record)
  }
  return found
}

/** Values of the columns that a reference leads to, in each form in which the columns that refer may show them. */
function formsOf(
  values: readonly SqlValue[],
  { names, columns }: Reference,
  { rules }: PublishedEntity,
): readonly string[] {
  let forms: readonly (readonly string[])[] = [[]]
  for (const [index, column] of columns.entries()) {
    const value = values[index] ?? null
    if (value === null) return []
    // The other column may have another type, with values in another form.
    const own = [shownBy(rules.fields.get(names[index] ?? ''), value), codecOf(column).show(value)]
    forms = forms.flatMap((form) => [...new Set(own)].map((text) => [...form, text]))
  }
  return forms.map((form) => JSON.stringify(form))
}

function shownBy(rule: FieldRule | undefined, value: SqlValue): string {
  return value === null || rule === undefined ? '' : rule.codec.writeJson(value)
}

/** What a record will hold of a column, as far as it is known: of no column that is no field. */
function heldValue({ values, current }: CheckedRecord, name: string): SqlValue {
  return (values.has(name) ? values.get(name) : current?.values.get(name)) ?? null
}

/** Whether only the database knows what a record will hold of a column. */
function isFilled(
  { values, current }: CheckedRecord,
  name: string,
  { table, rules }: Pick<PublishedEntity, 'table' | 'rules'>,
): boolean {
  const rule = rules.fields.get(name)
  if (values.has(name)) return false
  if (rule?.isReadOnly === true) return true
  if (current !== undefined) return !current.values.has(name)
  const column = table.columns.get(name)
  return rule?.isFilled ?? (column?.hasDefault === true || column?.written !== undefined)
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

const takenInCall = 'Another record of this call has the same value.'

async function checkUnique(
  records: readonly CheckedRecord[],
  rule: FieldRule,
  { entity, connection, dialect, mistakes }: ValueCheck,
): Promise<void> {
  const { name, codec, column } = rule
  const wanted = newValues(records, rule)
  if (wanted.size === 0 || column === undefined) return
  // The default of a field that the caller does not know of may be taken, too.
  const field = isKnown(entity.rights, name) ? name : undefined
  for (const { records: sharing } of wanted.values()) {
    for (const { path } of sharing.slice(1)) mistakes.taken(path, field, takenInCall)
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
    const detail =
      field === undefined ? takenByOther : `Another ${entity.name} has the ${name} ${shown} already.`
    mistakes.taken(record.path, field, detail)
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
    const value = newValue(record, name)
    if (value === null) continue
    const shown = codec.writeJson(value)
    const sharing = found.get(shown)
    if (sharing === undefined) found.set(shown, { value, records: [record] })
    else sharing.records.push(record)
  }
  return found
}

/**
 * A value that the record did not have before; null if there is none. One that the caller cannot see is new to it, so that nothing
 * tells whether it guessed it.
 */
function newValue({ values, current }: CheckedRecord, name: string): SqlValue {
  const value = values.get(name) ?? null
  const before = current?.values.get(name) ?? null
  const isSeen = (current?.json[name] ?? null) !== null
  return value !== null && before !== null && isSeen && valueText(value) === valueText(before) ? null : value
}
