/** 32-bit numbers, which arrive as the equal 64-bit number: 0.1 as 0.10000000149011612. */
import type { Row } from '../../sql-value.ts'

/** The type of a column in a result. */
export interface ResultField {
  readonly columnType?: number | undefined
}

/** https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html */
const floatType = 4

/** The rows with each such number replaced by the one with the fewest digits that identifies it. */
export function withShortSingles(rows: readonly Row[], fields: readonly ResultField[]): readonly Row[] {
  const singles = singlesOf(fields)
  return singles.length === 0 ? rows : rows.map((row) => withShort(row, singles))
}

/** The positions of such numbers in the rows of a result. */
export function singlesOf(fields: readonly ResultField[]): readonly number[] {
  return fields.flatMap(({ columnType }, index) => (columnType === floatType ? [index] : []))
}

/** The same for one row. */
export function withShort(row: Row, singles: readonly number[]): Row {
  if (singles.length === 0) return row
  const values = [...row]
  for (const index of singles) {
    const value = values[index]
    if (typeof value === 'number') values[index] = shortest(value)
  }
  return values
}

function shortest(single: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(single.toPrecision(digits))
    if (Math.fround(short) === single) return short
  }
  return Number(single.toPrecision(9))
}
