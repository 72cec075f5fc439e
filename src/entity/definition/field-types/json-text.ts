import type { SqlValue } from '../../../database/sql-value.ts'
import { showText } from '../../../query/codec/text-codecs.ts'
import type { Encoding } from '../../../record/record-rules.ts'
import { encodeBoundedText } from './bounded-text.ts'

/** A JSON value as its stored text; its limit applies on every database. */
export function encodeJsonText(value: unknown): Encoding {
  return encodeBoundedText(JSON.stringify(value), 1_000_000)
}

/** The stored text; quoted as a JSON string if another program wrote something that is not JSON. */
export function writeJsonText(value: Exclude<SqlValue, null>): string {
  return typeof value === 'string' && isJson(value) ? value : showText(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
