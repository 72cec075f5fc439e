/** Which column of a file goes into which field, and the records that follow from it. */
import { type ReadEntered, readEntered, withoutLongNumbers } from '../edit/entered.ts'
import type { WritableField } from '../edit/stored-record.ts'
import { LongNumber } from '../exact-json.ts'
import { isJson } from '../show-value.ts'
import { tableRights } from '../table-rights.ts'
import type { Field, Table } from '../tables.ts'
import { simplified } from './csv-rows.ts'
import type { RowFault, SourceForm, SourceRow } from './source-file.ts'

/** What an empty cell of CSV means. */
export const emptyMeanings = ['absent', 'null', 'text'] as const
export type EmptyMeaning = (typeof emptyMeanings)[number]

/** The names in the published API of the fields that columns go into, by column. Other columns are left out. */
export type ColumnMatches = Readonly<Record<string, string>>

/** A table whose rows come by a published API that the roles allow. */
export type ImportTable = Table & { readonly api: NonNullable<Table['api']> }

export function canBeImported(table: Table): table is ImportTable {
  return tableRights(table).POST
}

/** Guesses the fields of columns by their names; each field is taken once. */
export function guessMatches(columns: readonly string[], fields: readonly WritableField[]): ColumnMatches {
  const free = new Set(fields)
  const matches: [string, string][] = []
  const take = (isAlike: (column: string, name: string) => boolean) => {
    for (const column of columns) {
      if (matches.some(([taken]) => taken === column)) continue
      const found = [...free].find(({ api_name: api, name, column: own }) =>
        [api, name, own].some((one) => isAlike(column, one)),
      )
      if (found === undefined) continue
      free.delete(found)
      matches.push([column, found.api_name])
    }
  }
  take((column, name) => column === name)
  take((column, name) => simplified(column) === simplified(name))
  return Object.fromEntries(matches)
}

export interface RecordReading {
  readonly fields: readonly WritableField[]
  readonly matches: ColumnMatches
  readonly empty: EmptyMeaning
  readonly format: SourceForm['format']
}

/** A row that can be read, as the record that it becomes, or why it cannot. */
export type ReadRow =
  | { readonly position: number; readonly record: Readonly<Record<string, unknown>>; readonly fault?: never }
  | { readonly position: number; readonly record?: never; readonly fault: RowFault }

/** The record that a row becomes. What is no value of its type is left to the gateway, which says what it expects. */
export function readRow({ position, values, fault }: SourceRow, reading: RecordReading): ReadRow {
  if (fault !== undefined) return { position, fault }
  const { fields, matches } = reading
  const members: [string, unknown][] = []
  for (const [column, value] of values) {
    const name = Object.hasOwn(matches, column) ? matches[column] : undefined
    const field = fields.find(({ api_name: own }) => own === name)
    if (field === undefined || name === undefined) continue
    const read = readValue(value, field, reading)
    if ('mistake' in read) return { position, fault: { kind: 'value', column, detail: read.mistake } }
    if (read.value !== undefined) members.push([name, read.value])
  }
  return { position, record: Object.fromEntries(members) }
}

/** The value for a field; undefined if the record does not have it. */
function readValue(value: unknown, field: Field, { empty, format }: RecordReading): ReadEntered {
  if (format !== 'csv') return readJsonValue(value, field)
  if (value === '' && empty !== 'text') return { value: empty === 'null' ? null : undefined }
  // Spreadsheets write TRUE and FALSE.
  const isBoolean = field.kind === 'boolean' || field.entity_type === 'boolean'
  const text = String(value)
  return readEntered(isBoolean ? text.trim().toLowerCase() : text, field)
}

function readJsonValue(value: unknown, field: Field): ReadEntered {
  if (value instanceof LongNumber && !isJson(field)) {
    const { source } = value
    return { value: field.kind === 'float' && Number.isFinite(Number(source)) ? Number(source) : source }
  }
  return withoutLongNumbers(value)
}
