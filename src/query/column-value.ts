import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { AppError } from '../errors/app-error.ts'
import { shortValue } from '../util/short-name.ts'
import { codecOf } from './codec/codec-of.ts'
import { looseValues } from './codec/loose-values.ts'

/**
 * Converts a value from a request for a comparison with the column. A value of another type is converted only if
 * nothing is lost (`5` for a text, `"5"` for a number, `true` for an integer); otherwise `PARAMETER_INVALID` has the
 * path, what the column takes and what was sent.
 */
export function toColumnValue(column: Column, value: unknown, label: string): SqlValue {
  return toColumnValues(column, value, label)[0] ?? null
}

/**
 * All values of the column that are shown as this one; more than one only if the column may contain values of any kind.
 */
export function toColumnValues(column: Column, value: unknown, label: string): readonly SqlValue[] {
  const converted = comparedValues(column, value)
  if (converted.length > 0) return converted
  const detail = `${label}: "${column.name}" takes ${codecOf(column).takes}, not ${shortValue(value)}.`
  throw new AppError('PARAMETER_INVALID', { detail })
}

/** The same for callers with an error message of their own: empty for a value that the column cannot contain. */
function comparedValues(column: Column, value: unknown): readonly SqlValue[] {
  if (column.loose !== undefined) return looseValues(column, column.loose, value)
  const converted = columnValueOf(column, value)
  return converted === undefined ? [] : [converted]
}

/** Converts a value for writing into the column; undefined if the column does not accept it. */
export function columnValueOf(column: Column, value: unknown): SqlValue | undefined {
  return value instanceof Uint8Array ? value : codecOf(column).hold(value, column)
}
