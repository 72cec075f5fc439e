/** The name under which `numberOf` is known to SQL on every connection. */
export const numberFunction = 'gatehouse_number'

/** The number of a text to the last digit; SQLite reads very large and very small ones only nearly. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'string' ? Number(value) : null
}
