/** How rows are written to a file, as text that can be written piece by piece. */
import type { Row } from '../rows.ts'
import { isJson, isNumber } from '../show-value.ts'
import type { Field } from '../tables.ts'

/** The formats of a file of rows. */
export const formats = ['csv', 'json', 'jsonl'] as const
export type Format = (typeof formats)[number]

export const mediaTypes: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
}

/** Writes rows of some fields. `rows` is called with each page in turn. */
export interface RowWriter {
  /** What stands before the first row. */
  readonly head: string
  rows(rows: readonly Row[]): string
  /** What stands after the last one. */
  readonly tail: string
}

export interface RowWriterOptions {
  readonly fields: readonly Field[]
  /** Between the cells of CSV. */
  readonly delimiter: string
  /** For CSV: marks it as UTF-8, and keeps texts from being taken as formulas. */
  readonly isForSpreadsheets: boolean
  /** Whether the values of JSON columns are texts, as in GraphQL. */
  readonly hasJsonTexts: boolean
}

export function rowWriter(format: Format, options: RowWriterOptions): RowWriter {
  return format === 'csv' ? csvWriter(options) : jsonWriter(format, options)
}

/** CSV by RFC 4180. Null is an empty cell without quotes, an empty text one with quotes. */
function csvWriter({ fields, delimiter, isForSpreadsheets, hasJsonTexts }: RowWriterOptions): RowWriter {
  const safe = (text: string) => (isForSpreadsheets && isFormula(text) ? `'${text}` : text)
  const quoted = (text: string) => quotedCell(text, delimiter)
  const cell = (value: unknown, field: Field) => {
    if (value === null || value === undefined) return ''
    const text = textOf(value, field, hasJsonTexts)
    return quoted(isNumber(field) ? text : safe(text))
  }
  const line = (cells: readonly string[]) => `${cells.join(delimiter)}\r\n`
  return {
    head: (isForSpreadsheets ? '\ufeff' : '') + line(fields.map(({ name }) => quoted(safe(name)))),
    rows: (rows) =>
      rows.map(({ values }) => line(fields.map((field) => cell(values[field.name], field)))).join(''),
    tail: '',
  }
}

/** A cell of CSV that is not null. Quoted, too, if it has what a reader may take for the delimiter. */
export function quotedCell(text: string, delimiter: string): string {
  return text === '' || text.includes(delimiter) || /[",;\t|\r\n]|^\s|\s$/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text
}

/** What spreadsheets take as the beginning of a formula: https://owasp.org/www-community/attacks/CSV_Injection */
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text)
}

function textOf(value: unknown, field: Field, hasJsonTexts: boolean): string {
  if (isJson(field)) return hasJsonTexts && typeof value === 'string' ? value : JSON.stringify(value)
  const plain = withTruth(value, field)
  return typeof plain === 'object' ? JSON.stringify(plain) : String(plain)
}

/** JSON as a list, with a record in each line; or JSON Lines (https://jsonlines.org). */
function jsonWriter(format: 'json' | 'jsonl', { fields, hasJsonTexts }: RowWriterOptions): RowWriter {
  const names = fields.map(({ name }) => `${JSON.stringify(name)}:`)
  const record = ({ values }: Row) => {
    const members = fields.map(
      (field, place) => names[place] + jsonOf(values[field.name], field, hasJsonTexts),
    )
    return `{${members.join(',')}}`
  }
  if (format === 'jsonl') {
    return { head: '', rows: (rows) => rows.map((row) => `${record(row)}\n`).join(''), tail: '' }
  }
  let isFirst = true
  return {
    head: '[',
    rows(rows) {
      const text = rows.map((row, index) => `${isFirst && index === 0 ? '' : ','}\n${record(row)}`).join('')
      isFirst &&= rows.length === 0
      return text
    },
    tail: '\n]\n',
  }
}

function jsonOf(value: unknown, field: Field, hasJsonTexts: boolean): string {
  if (isJson(field) && hasJsonTexts && typeof value === 'string' && isJsonText(value)) {
    // Line breaks of JSON are between its tokens. Its text, other than its value, has all digits.
    return value.replaceAll(/[\r\n]+/g, ' ')
  }
  return JSON.stringify(withTruth(value, field) ?? null)
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Booleans of entities are 1 and 0 in GraphQL. */
function withTruth(value: unknown, { entity_type: type }: Field): unknown {
  return type === 'boolean' && (value === 0 || value === 1) ? value === 1 : value
}
