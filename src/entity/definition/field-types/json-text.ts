import type { SqlValue } from '../../../database/driver.ts'
import { showText } from '../../../query/codec/text-codecs.ts'
import type { Encoding } from '../../../record/record-rules.ts'
import { encodeBoundedText } from './bounded-text.ts'

/** A JSON value as the text that is kept of it; a bound on it holds on every database. */
export function encodeJsonText(value: unknown): Encoding {
  return encodeBoundedText(JSON.stringify(value), 1_000_000)
}

/** The kept text as it is; as a JSON text where something else than this program wrote what is no JSON. */
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
