/** What a column of another program does not take as it is sent: the database would refuse, round or cut it, without naming the field. */
import type { Column, ColumnSize } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/sql-value.ts'
import type { Encoding, JsonSchema, ValueCodec } from '../../record/record-rules.ts'
import { parseDecimal } from '../../util/decimal-text.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { encodeBoundedText } from '../definition/field-types/bounded-text.ts'
import { refuse } from '../definition/field-types/field-type.ts'

/** The codec, which takes only what the column keeps as it is, and describes it. */
export function withinSize(codec: ValueCodec, column: Pick<Column, 'size' | 'listed' | 'items'>): ValueCodec {
  const { size, listed, items } = column
  if (items !== undefined) return size === undefined ? codec : withItemsWithin(codec, size)
  if (size === undefined && listed === undefined) return codec
  const encode = (json: unknown): Encoding => {
    const encoding = codec.encode(json)
    if (!('value' in encoding) || encoding.value === null) return encoding
    const { value } = encoding
    if (listed !== undefined && !listed.includes(String(value))) return refuseUnlisted(json, listed)
    return (size && refusalOf(value, size, json)) ?? encoding
  }
  return { ...codec, taken: limited(codec.taken ?? codec.written, column), encode }
}

/** The same for arrays: JSON lists, which may be nested. */
function withItemsWithin(codec: ValueCodec, size: ColumnSize): ValueCodec {
  const refused = (item: unknown): Encoding | undefined => {
    if (Array.isArray(item)) return item.map(refused).find((found) => found !== undefined)
    return typeof item === 'string' || typeof item === 'number' ? refusalOf(item, size, item) : undefined
  }
  return { ...codec, encode: (json) => refused(json) ?? codec.encode(json) }
}

/** The schema with the limits that JSON Schema has words for. */
function limited(schema: JsonSchema, { size, listed }: Pick<Column, 'size' | 'listed'>): JsonSchema {
  const { characters, range } = size ?? {}
  const isText = schema.type === 'string' && schema.format === undefined
  const isInteger = [schema.type].flat().includes('integer')
  const longest = Number(schema.maxLength ?? characters)
  return {
    ...schema,
    ...(isText && characters !== undefined && { maxLength: Math.min(characters, longest) }),
    ...(isInteger && range !== undefined && { minimum: range[0], maximum: range[1] }),
    ...(isText && listed !== undefined && { enum: listed }),
  }
}

const mostListed = 30

function refuseUnlisted(json: unknown, listed: readonly string[]): Encoding {
  const named = listed.slice(0, mostListed).map((value) => JSON.stringify(value))
  const more = listed.length > mostListed ? ', …' : ''
  const hint = typeof json === 'string' ? didYouMean(json, listed) : ''
  return { refused: `This must be one of ${named.join(', ')}${more}${hint}.` }
}

/** Undefined for a value that fits. */
function refusalOf(value: Exclude<SqlValue, null>, size: ColumnSize, json: unknown): Encoding | undefined {
  const { characters, bytes, digits, range, secondDigits } = size
  if (characters !== undefined && typeof value === 'string') {
    const encoding = encodeBoundedText(value, characters)
    if ('refused' in encoding) return encoding
  }
  if (bytes !== undefined) {
    const length = value instanceof Uint8Array ? value.length : Buffer.byteLength(String(value))
    const [least, most] = bytes
    if (length < least || length > most) return refusedBytes(bytes, length)
  }
  if (digits !== undefined && !hasDigits(value, digits)) {
    const [before, after] = digits
    const expected =
      before < 0 || after < 0
        ? 'A number that the column need not round'
        : `A number of at most ${before} digits before the point and ${after} after it`
    return refuse(expected, json)
  }
  if (range !== undefined && (Number(value) < range[0] || Number(value) > range[1]))
    return refuse(`A whole number from ${range[0]} to ${range[1]}`, json)
  if (secondDigits !== undefined && digitsAfterSecond(String(value)) > secondDigits) {
    const most = secondDigits === 0 ? 'no digits' : `at most ${secondDigits} digits`
    return refuse(`A time with ${most} after the second`, json)
  }
  return undefined
}

function refusedBytes([least, most]: readonly [number, number], length: number): Encoding {
  const counted = `${least === most ? '' : 'at most '}${most.toLocaleString('en')} bytes`
  return {
    refused: `A value of ${counted} is expected here, and this one has ${length.toLocaleString('en')}.`,
  }
}

/** More than a double has before or after its point. */
const mostDigits = 400

/** Whether the first digit of a number and its last one, zeros aside, are in the places that a column has. */
function hasDigits(value: Exclude<SqlValue, null>, [before, after]: readonly [number, number]): boolean {
  const decimal = parseDecimal(String(value), mostDigits)
  // Whether it takes what is no number, the database decides.
  if (decimal === undefined) return true
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.')
  if (whole === '0' && fraction === '') return true
  const first = whole === '0' ? fraction.replace(/^0+/, '').length - fraction.length : whole.length
  const last = fraction === '' ? whole.replace(/0+$/, '').length - whole.length : fraction.length
  return first <= before && last <= after
}

function digitsAfterSecond(time: string): number {
  return /:\d\d\.(\d+?)0*(?!\d)/.exec(time)?.[1]?.length ?? 0
}
