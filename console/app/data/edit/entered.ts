/** What is entered for a field, and the JSON value that the gateway gets for it. The gateway decides what is valid. */
import { textOfValue } from '../conditions.ts'
import { longNumberIn, parseExactly } from '../exact-json.ts'
import { isJson, isNumber } from '../show-value.ts'
import type { Field } from '../tables.ts'
import { choicesOf } from '../wanted.ts'

/** A text, null, or nothing: then the field is not sent. */
export type Entered = string | null | undefined

/** How a field is entered. */
export type InputKind = 'choice' | 'json' | 'number' | 'longText' | 'bytes' | 'moment' | 'date' | 'text'

type Described = Pick<Field, 'kind' | 'entity_type' | 'native_type' | 'enum'>

/** How a field is entered, by its type. */
export function inputKindOf(field: Described): InputKind {
  if (choicesOfField(field) !== undefined) return 'choice'
  if (isJson(field)) return 'json'
  if (isNumber(field)) return 'number'
  if (field.kind === 'dateTime') return 'moment'
  if (field.kind === 'date') return 'date'
  if (field.kind === 'binary') return 'bytes'
  const isLong = field.entity_type === 'text' && /text|clob|^$/i.test(field.native_type)
  return isLong ? 'longText' : 'text'
}

/** The values that a field may have, if there are only a few. */
export function choicesOfField(field: Pick<Field, 'kind' | 'entity_type' | 'enum'>) {
  return field.enum === undefined && field.entity_type === 'boolean'
    ? [true, false]
    : choicesOf(field as Field)
}

/** What stands in the input for a value of the published API; undefined for a value that is not there. */
export function enteredOf(value: unknown, field: Described): Entered {
  if (value === null || value === undefined) return value
  return inputKindOf(field) === 'json' ? JSON.stringify(value, undefined, 2) : textOfValue(value)
}

/** What an input holds that was emptied: an empty text only where the field has texts. */
export function emptied(field: Described & Pick<Field, 'nullable'>, isOptional: boolean): Entered {
  if (['text', 'longText'].includes(inputKindOf(field)) && field.kind === 'string') return ''
  if (isOptional) return undefined
  return field.nullable ? null : ''
}

/** The value that is sent for what was entered, or why there is none. */
export type ReadEntered = { readonly value: unknown } | { readonly mistake: string }

/** Reads what was entered. A text that is no value of its type is sent as it is, and the gateway says what it expects. */
export function readEntered(entered: string | null, field: Described): ReadEntered {
  if (entered === null) return { value: null }
  switch (inputKindOf(field)) {
    case 'json':
      return readJson(entered)
    case 'choice':
      return { value: choicesOfField(field)?.find((choice) => textOfValue(choice) === entered) ?? entered }
    case 'number':
      return { value: readNumber(entered.trim(), field) }
    case 'moment':
    case 'date':
      return { value: entered.trim() }
    case 'bytes':
      return { value: entered.replaceAll(/\s/g, '') }
    default:
      return { value: entered }
  }
}

function readJson(text: string): ReadEntered {
  try {
    return withoutLongNumbers(parseExactly(text))
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) }
  }
}

/** A value of JSON, unless it has a number that would change, which the gateway refuses with the whole call. */
export function withoutLongNumbers(value: unknown): ReadEntered {
  const long = longNumberIn(value)
  if (long === undefined) return { value }
  return { mistake: `The number ${shortened(long.source)} has more digits than a JSON number can hold.` }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** A number if JSON keeps all of its digits, otherwise a text. */
function readNumber(text: string, { kind }: Pick<Field, 'kind'>): unknown {
  const number = Number(text)
  if (kind === 'decimal' || text === '' || !Number.isFinite(number)) return text
  if (kind === 'float') return number
  return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text
}
