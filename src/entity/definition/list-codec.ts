/** Columns with array types of the database: JSON lists, which must have a shape that it can store. */
import type { Column } from '../../database/database-schema.ts'
import type { Encoding, ValueCodec } from '../../record/record-rules.ts'
import { isSameNumber } from '../../util/decimal-text.ts'
import { refuse } from './field-types/field-type.ts'
import { encodeJsonText, writeJsonText } from './field-types/json-text.ts'

/** The codec of a column with such items. */
export function listCodec(items: NonNullable<Column['items']>): ValueCodec {
  return {
    written: { type: 'array', items: {} },
    encode: (value) => encodeList(value, items),
    writeJson: items === 'values' ? (value) => withExactNumbers(writeJsonText(value)) : writeJsonText,
  }
}

function encodeList(value: unknown, items: NonNullable<Column['items']>): Encoding {
  if (!Array.isArray(value)) return refuse('A list', value)
  if (items === 'json') return encodeJsonText(value)
  const mistake = shapeMistake(value)
  return mistake === undefined ? encodeJsonText(value) : { refused: mistake }
}

/** JSON with a text in place of each number that JSON readers would change. */
function withExactNumbers(json: string): string {
  if (!/[\d.]{16}/.test(json)) return json
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || isSameNumber(String(Number(token)), token) ? token : `"${token}"`,
  )
}

const nestingLimit = 6

/** Why a list does not consist of single values, or of lists of equal lengths with single values, and so on. */
function shapeMistake(list: readonly unknown[]): string | undefined {
  let level: readonly (readonly unknown[])[] = [list]
  for (let depth = 1; ; depth += 1) {
    if (depth > nestingLimit) return `The column takes lists of at most ${nestingLimit} levels.`
    const [first = []] = level
    if (level.some(({ length }) => length !== first.length))
      return 'The column takes nested lists only where those of one level are of equal length.'
    const found = level.flat()
    if (!found.some(Array.isArray)) return found.map(itemMistake).find((mistake) => mistake !== undefined)
    if (!found.every((item): item is readonly unknown[] => Array.isArray(item) && item.length > 0))
      return 'The column takes either single values or lists that are not empty as the items of one level.'
    level = found
  }
}

function itemMistake(item: unknown): string | undefined {
  if (typeof item === 'object' && item !== null) return 'The column takes lists of single values: no objects.'
  if (typeof item === 'string' && item.includes('\u0000'))
    return 'A text must not hold NUL; not every database can keep it.'
  const isInexact = Number.isInteger(item) && !Number.isSafeInteger(item)
  return isInexact
    ? 'Send whole numbers beyond 9007199254740991 as texts: as JSON numbers they lose digits.'
    : undefined
}
