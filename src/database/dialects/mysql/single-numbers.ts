/** Numbers of 32 bits, which come as the number of 64 bits that is the same: 0.1 as 0.10000000149011612. */
import type { Row } from '../../driver.ts'

/** What tells the type of a column of an answer. */
export interface AnswerField {
  readonly columnType?: number | undefined
}

/** https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html */
const floatType = 4

/** The rows with each such number as the one of the fewest digits that means it. */
export function withShortSingles(rows: readonly Row[], fields: readonly AnswerField[]): readonly Row[] {
  const singles = singlesOf(fields)
  return singles.length === 0 ? rows : rows.map((row) => withShort(row, singles))
}

/** The places of such numbers in the rows of an answer. */
export function singlesOf(fields: readonly AnswerField[]): readonly number[] {
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
