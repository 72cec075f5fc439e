import type { Column, ColumnType } from '../database/database-schema.ts'

/** Types among which a database compares a reference with a key of another type. */
const comparedTypes: ReadonlySet<ColumnType> = new Set([
  'integer',
  'bigint',
  'float',
  'decimal',
  'date',
  'dateTime',
])

/** The columns `other` as they are compared with keys that are values of `own`: the database may give these another type. */
export function columnsForKeysOf(own: readonly Column[], other: readonly Column[]): readonly Column[] {
  return other.map((column, index) => {
    const keys = own[index]
    const isOther = keys !== undefined && keys.nativeType !== column.nativeType
    return isOther && comparedTypes.has(keys.type) && comparedTypes.has(column.type)
      ? { ...column, keysOf: keys }
      : column
  })
}
