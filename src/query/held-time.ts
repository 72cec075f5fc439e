import type { Column } from '../database/database-schema.ts'

/** A time as a column holds it: of its second, only the digits that the column has. */
export function heldTime(time: Date, column: Pick<Column, 'size'> | undefined): Date {
  const digits = column?.size?.secondDigits
  if (digits === undefined || digits >= 3) return time
  const step = 10 ** (3 - digits)
  return new Date(Math.floor(time.getTime() / step) * step)
}
