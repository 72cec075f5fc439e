/** The name of `numberOf` in SQL, on every connection. */
export const numberFunction = 'gatehouse_number'

/** The exact number of a text; SQLite reads very large and very small ones only approximately. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'string' ? Number(value) : null
}

/** The name of `textOf` in SQL, on every connection. */
export const numberTextFunction = 'gatehouse_number_text'

/** A number by its shown digits; SQLite writes at most 15 of them, and integers with a point. */
export function textOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null
}
