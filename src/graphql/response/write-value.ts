import type { ColumnType } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/driver.ts'
import { assertNever } from '../../util/assert-never.ts'
import { showDateTime } from '../../util/date-time-text.ts'

/** A column's value as JSON text, in the form of its GraphQL scalar. */
export function writeValue(value: SqlValue, type: ColumnType): string {
  if (value === null) return 'null'
  switch (type) {
    case 'integer':
    case 'float':
      return typeof value === 'number' ? JSON.stringify(value) : writeText(value)
    case 'bigint':
      return writeBigInt(value)
    case 'boolean':
      return value === 0 || value === 'f' || value === 'false' ? 'false' : 'true'
    case 'dateTime':
      return typeof value === 'string' ? JSON.stringify(showDateTime(value)) : writeText(value)
    case 'string':
    case 'decimal':
    case 'date':
    case 'json':
    case 'binary':
    case 'other':
      return writeText(value)
    default:
      return assertNever(type)
  }
}

/** A number where every JSON reader keeps it exactly, otherwise a text. */
function writeBigInt(value: SqlValue): string {
  const text = String(value)
  return Number.isSafeInteger(Number(text)) && /^-?\d+$/.test(text) ? text : JSON.stringify(text)
}

function writeText(value: Exclude<SqlValue, null>): string {
  return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value))
}
