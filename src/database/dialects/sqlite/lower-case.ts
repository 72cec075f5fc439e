/** The name of `lowerCaseOf` in SQL, on every connection; SQLite's own function knows the letters of ASCII only. */
export const lowerCaseFunction = 'gatehouse_lower'

/**
 * A text with each character in lower case. JavaScript's own function depends on the neighbours of a sigma, and makes two
 * characters of the capital I with a dot.
 */
export function lowerCaseOf(text: unknown): string | null {
  if (text === null) return null
  return String(text).replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
}
