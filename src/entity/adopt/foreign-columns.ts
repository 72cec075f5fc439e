/**
 * Columns of adopted tables: which field types fit one, and how its values are written as JSON. The database itself
 * limits texts and numbers; its refusals are passed to the client.
 */
import type { Column, ColumnType } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { codecOf } from '../../query/codec/codec-of.ts'
import { columnValueOf } from '../../query/column-value.ts'
import type { Encoding, ValueCodec } from '../../record/record-rules.ts'
import { parseDecimal } from '../../util/decimal-text.ts'
import { encodeBoundedText } from '../definition/field-types/bounded-text.ts'
import { refuse } from '../definition/field-types/field-type.ts'
import { type FieldTypeName, fieldTypes } from '../definition/field-types/index.ts'
import { encodeJsonText, writeJsonText } from '../definition/field-types/json-text.ts'
import { listCodec } from '../definition/list-codec.ts'

/** The types that a field may have over a column; the first is the default. */
export function fieldTypesOver({ type, items }: Column): readonly [FieldTypeName, ...FieldTypeName[]] {
  return items === undefined ? typesOver[type] : ['array']
}

/**
 * Whether a column can hold the values of a field in a table of the gateway: it has the type that the gateway makes, or
 * one of another program that holds the same.
 */
export function takesField(column: Column, type: FieldTypeName, ddl?: Pick<Ddl, 'hasType'>): boolean {
  const { name, nullable, written } = column
  if (ddl?.hasType(column, { name, type: fieldTypes[type].column, nullable })) return true
  return written === undefined && column.type !== 'binary' && fieldTypesOver(column).includes(type)
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

/** The column types that a key may have: those whose values are found by their shown form. */
export const keyTypes: ReadonlySet<ColumnType> = new Set([
  'string',
  'uuid',
  'integer',
  'bigint',
  'decimal',
  'boolean',
  'dateTime',
  'date',
  'time',
  'binary',
])

/** The codec of a field over a column that an entity definition made. */
export function codecOfOwnColumn(column: Column | undefined, type: FieldTypeName): ValueCodec {
  const own = fieldTypes[type]
  // A boolean is an integer to the database, and JSON is a text.
  if (column === undefined || type === 'boolean' || type === 'array' || type === 'object') return own
  return { ...own, writeJson: codecOf(column).show }
}

/** The codec of a field over a column of another program. */
export function codecOfColumn(column: Column, type: FieldTypeName): ValueCodec {
  if (type === 'boolean' && column.type !== 'boolean') return fieldTypes.boolean
  if (column.type === 'string' && (type === 'array' || type === 'object')) return fieldTypes[type]
  if (column.items !== undefined) return listCodec(column.items)
  const written = { writeJson: codecOf(column).show }
  switch (column.type) {
    case 'string':
    case 'other':
      return { ...text, ...written }
    case 'uuid':
      return {
        written: { type: 'string', format: 'uuid' },
        encode: textFormOf(column, 'A UUID such as "018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f"'),
        ...written,
      }
    case 'bigint':
      return { ...bigInteger, encode: (value) => encodeBigInteger(value, column), ...written }
    case 'decimal':
      return {
        ...fieldTypes.decimal,
        ...(column.loose === 'numeric' && { encode: encodeNumericDecimal }),
        ...written,
      }
    case 'time':
      return {
        written: { type: 'string', format: 'time-local', examples: ['09:30:00'] },
        encode: textFormOf(column, 'A time such as "09:30:00"'),
        ...written,
      }
    case 'json':
      return { written: { description: 'Any JSON value.' }, encode: encodeJsonText, writeJson: writeJsonText }
    case 'binary':
      return {
        written: { type: 'string', contentEncoding: 'base64' },
        encode: textFormOf(column, 'Bytes in base64'),
        ...written,
      }
    default:
      return { ...fieldTypes[fieldTypesOver(column)[0]], ...written }
  }
}

const text = {
  written: { type: 'string' },
  encode: (value: unknown) => encodeBoundedText(value, 1_000_000),
} as const

const bigInteger = {
  written: {
    type: ['integer', 'string'],
    format: 'int64',
    description: 'A whole number of 64 bits; a text where a JSON number would lose digits of it.',
  },
} as const

/** Texts that stand for values of the column's type. */
function textFormOf(column: Column, expected: string): (value: unknown) => Encoding {
  return (value) => {
    const held = typeof value === 'string' ? columnValueOf(column, value) : undefined
    return held === undefined ? refuse(expected, value) : { value: held }
  }
}

/** A decimal that SQLite keeps as a number: an integer of 64 bits, or a double. */
function encodeNumericDecimal(value: unknown): Encoding {
  const encoding = fieldTypes.decimal.encode(value)
  if (!('value' in encoding) || typeof encoding.value !== 'string') return encoding
  const digits = encoding.value
  const isInteger = /^-?\d{1,19}$/.test(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
  if (isInteger || parseDecimal(String(Number(digits))) === digits) return encoding
  return refuse('A decimal number of so few digits that the column keeps them, about 15', value)
}

/** In the form that rows have. */
function encodeBigInteger(value: unknown, column: Column): Encoding {
  const isForm = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
  const held = isForm ? columnValueOf(column, value) : undefined
  if (held === undefined) return refuse('A whole number of 64 bits, as a number or as a text', value)
  const number = BigInt(held as string | number | bigint)
  return column.unsigned && number < 0n
    ? refuse('A whole number of 64 bits that is not negative', value)
    : { value: number.toString() }
}
