import type { ColumnType } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/driver.ts'
import { assertNever } from '../../util/assert-never.ts'
import { showUnboundedDate } from '../../util/unbounded-date-text.ts'

/** A column's value as JSON text, in the form of its GraphQL scalar. */
export function writeValue(value: SqlValue, type: ColumnType): string {
  if (value === null) return 'null'
  switch (type) {
    case 'integer':
    case 'float':
      return Number.isFinite(value) ? JSON.stringify(value) : writeText(value)
    case 'bigint':
      return writeBigInt(value)
    case 'boolean':
      return value === 0 || value === 'f' || value === 'false' ? 'false' : 'true'
    case 'dateTime':
    case 'date':
      return typeof value === 'string' ? JSON.stringify(showUnboundedDate(value)) : writeText(value)
    case 'string':
    case 'uuid':
    case 'decimal':
    case 'time':
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
