import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { codecOf } from './codec/codec-of.ts'
import { looseValues } from './codec/loose-values.ts'

/**
 * A value from a request as the column compares it. A value of another type is converted only when
 * nothing is lost (`5` for a text, `"5"` for a number, `true` for a whole number); otherwise
 * `PARAMETER_INVALID` names the place, what the column takes and what came.
 */
export function toColumnValue(column: Column, value: unknown, label: string): SqlValue {
  return toColumnValues(column, value, label)[0] ?? null
}

/** All values of the column that are shown as this one; several only where a column may hold values of any kind. */
export function toColumnValues(column: Column, value: unknown, label: string): readonly SqlValue[] {
  const converted = comparedValues(column, value)
  if (converted.length > 0) return converted
  const detail = `${label}: "${column.name}" takes ${codecOf(column).takes}, not ${describe(value)}.`
  throw new AppError('PARAMETER_INVALID', { detail })
}

/** The same for those who say themselves what is wrong: none for a value that the column cannot hold. */
function comparedValues(column: Column, value: unknown): readonly SqlValue[] {
  if (column.loose !== undefined) return looseValues(column, column.loose, value)
  const converted = columnValueOf(column, value)
  return converted === undefined ? [] : [converted]
}

/** A value as it is written into the column; undefined for one that it does not take. */
export function columnValueOf(column: Column, value: unknown): SqlValue | undefined {
  return value instanceof Uint8Array ? value : codecOf(column).hold(value, column)
}

function describe(value: unknown): string {
  const text = typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
