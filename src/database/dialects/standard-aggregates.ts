import type { TimeUnit } from '../aggregate-syntax.ts'
import type { Column } from '../database-schema.ts'

/** The column of a number of rows, with the product's type of 64-bit integers. */
export function countOf(nativeType: string): Column {
  return { name: 'count', type: 'bigint', nativeType, nullable: true, hasDefault: false, portableOrder: true }
}

/** What remains of the text of a date and time, and what follows. */
const starts: Readonly<Record<TimeUnit, readonly [length: number, dateEnd: string, timeEnd: string]>> = {
  HOUR: [13, '', ':00:00'],
  DAY: [10, '', ' 00:00:00'],
  MONTH: [7, '-01', ' 00:00:00'],
  YEAR: [4, '-01-01', ' 00:00:00'],
}

/** How the text of the beginning of a unit is made: from the first characters of a date, or date and time, and an end. */
export function startText(
  unit: TimeUnit,
  { type }: Column,
): { readonly length: number; readonly end: string } {
  const [length, dateEnd, timeEnd] = starts[unit]
  return { length, end: type === 'date' ? dateEnd : `${dateEnd}${timeEnd}` }
}
