/** The name under which `numberOf` is known to SQL on every connection. */
export const numberFunction = 'gatehouse_number'

/** The number of a text to the last digit; SQLite reads very large and very small ones only nearly. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'string' ? Number(value) : null
}

/** The name under which `textOf` is known to SQL on every connection. */
export const numberTextFunction = 'gatehouse_number_text'

/** A number by the digits that are shown of it; SQLite writes at most 15 of them, and whole ones with a point. */
export function textOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null
}
