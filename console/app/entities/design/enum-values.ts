/** The allowed values of a field, as people type them. */

/** A value as text: texts as they are, everything else as JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a typed text means for a field of a type: for those whose values are not texts in JSON, what it says as JSON. */
export function valueOfText(text: string, type: string): unknown {
  if (!['integer', 'float', 'boolean', 'array', 'object'].includes(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
