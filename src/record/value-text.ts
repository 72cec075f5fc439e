import type { SqlValue } from '../database/driver.ts'

/** A text that values of one column have in common only where they are the same. */
export function valueText(value: SqlValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
}
