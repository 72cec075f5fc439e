/**
 * Columns of tables that others made: which field types fit one, and how its values are written as JSON. The database
 * bounds texts and numbers by itself; what it refuses is told to the client.
 */
import type { Column, ColumnType } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'
import { columnValueOf } from '../query/column-value.ts'
import type { Encoding, ValueCodec } from '../query/write-rules.ts'
import { showUnboundedDate } from '../util/unbounded-date-text.ts'
import { encodeBoundedText } from './field-types/bounded-text.ts'
import { refuse } from './field-types/field-type.ts'
import { type FieldTypeName, fieldTypes } from './field-types/index.ts'
import { encodeJsonText, writeJsonText } from './field-types/json-text.ts'

/** The types that a field may have over a column; the first is the one it gets when nobody says another. */
export function fieldTypesOver({ type, written }: Column): readonly [FieldTypeName, ...FieldTypeName[]] {
  if (type === 'json' && written === 'never') return ['array']
  return typesOver[type]
}

const typesOver: Readonly<Record<ColumnType, readonly [FieldTypeName, ...FieldTypeName[]]>> = {
  string: ['string', 'text', 'array', 'object'],
  uuid: ['string'],
  integer: ['integer', 'boolean'],
  bigint: ['integer', 'boolean'],
  float: ['float'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  dateTime: ['DateTime'],
  date: ['Date'],
  time: ['string'],
  json: ['object', 'array'],
  binary: ['text'],
  other: ['text'],
}

/** The types of columns that a key may have: those whose values have one form, in a path and in the database. */
export const keyTypes: ReadonlySet<ColumnType> = new Set([
  'string',
  'uuid',
  'integer',
  'bigint',
  'decimal',
  'date',
])

/** The codec of a field over a column. */
export function codecOfColumn(column: Column, type: FieldTypeName): ValueCodec {
  if (type === 'boolean' && column.type !== 'boolean') return fieldTypes.boolean
  if (column.type === 'string' && (type === 'array' || type === 'object')) return fieldTypes[type]
  return codecs[column.type](column)
}

const writeText = (value: Exclude<SqlValue, null>): string => JSON.stringify(String(value))
const text: ValueCodec = {
  written: { type: 'string' },
  encode: (value) => encodeBoundedText(value, 1_000_000),
  writeJson: writeText,
}
const dates = {
  writeJson: (value: Exclude<SqlValue, null>) => JSON.stringify(showUnboundedDate(String(value))),
}

const codecs: Readonly<Record<ColumnType, (column: Column) => ValueCodec>> = {
  string: () => text,
  uuid: (column) => ({
    ...text,
    written: { type: 'string', format: 'uuid' },
    encode: textFormOf(column, 'A UUID such as "018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f"'),
  }),
  integer: () => ({ ...fieldTypes.integer, writeJson: writeNumber }),
  bigint: (column) => ({
    written: {
      type: ['integer', 'string'],
      format: 'int64',
      description: 'A whole number of 64 bits; a text where a JSON number would lose digits of it.',
    },
    encode: (value) => encodeBigInteger(value, column),
    writeJson: writeBigInteger,
  }),
  float: () => ({ ...fieldTypes.float, writeJson: writeNumber }),
  decimal: () => fieldTypes.decimal,
  boolean: () => ({
    ...fieldTypes.boolean,
    writeJson: (value) => (value === 0 || value === 'f' || value === 'false' ? 'false' : 'true'),
  }),
  dateTime: () => ({ ...fieldTypes.DateTime, ...dates }),
  date: () => ({ ...fieldTypes.Date, ...dates }),
  time: (column) => ({
    ...text,
    written: { type: 'string', format: 'time-local', examples: ['09:30:00'] },
    encode: textFormOf(column, 'A time such as "09:30:00"'),
  }),
  json: () => ({
    written: { description: 'Any JSON value.' },
    encode: (value) => encodeJsonText(value),
    writeJson: writeJsonText,
  }),
  binary: (column) => ({
    written: { type: 'string', contentEncoding: 'base64' },
    encode: textFormOf(column, 'Bytes in base64'),
    writeJson: (value) =>
      JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)),
  }),
  other: () => text,
}

/** Texts that stand for values of the column's type. */
function textFormOf(column: Column, expected: string): (value: unknown) => Encoding {
  return (value) => {
    const held = typeof value === 'string' ? columnValueOf(column, value) : undefined
    return held === undefined ? refuse(expected, value) : { value: held }
  }
}

/** In the form in which rows have it. */
function encodeBigInteger(value: unknown, column: Column): Encoding {
  const isForm = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
  const held = isForm ? columnValueOf(column, value) : undefined
  return held === undefined
    ? refuse('A whole number of 64 bits, as a number or as a text', value)
    : { value: BigInt(held as string | number | bigint).toString() }
}

function writeBigInteger(value: Exclude<SqlValue, null>): string {
  const digits = String(value)
  return /^(?:0|-?[1-9]\d*)$/.test(digits) && Number.isSafeInteger(Number(digits))
    ? digits
    : JSON.stringify(digits)
}

/** Columns may hold what is no finite number: infinite values, or texts where the product takes any. */
function writeNumber(value: Exclude<SqlValue, null>): string {
  return typeof value === 'number' && Number.isFinite(value) ? JSON.stringify(value) : writeText(value)
}
