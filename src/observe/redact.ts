/** Names of fields whose values nobody may read in a log, whatever is written before or after the word. */
const secretName =
  /pass(word|wd|phrase)?$|secret|token|cookie|authorization|(^|[^a-z])key$|apikey|parameters$|variables$/i

/** Stands in a log line where a secret was. */
const redacted = '(redacted)'

/**
 * A copy in which every value with the name of a secret is replaced, however deep it lies. Events hold no
 * secrets; this catches the one that slips into an object somebody attached.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth > 8 ? redacted : value.map((item) => redact(item, depth + 1))
  if (value === null || typeof value !== 'object') return value
  if (depth > 8) return redacted
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) ? redacted : redact(inner, depth + 1),
    ]),
  )
}

/** Whether a field with this name holds a secret: `password`, `api_key`, `apiKey`, `set-cookie`, … */
function isSecretName(name: string): boolean {
  return secretName.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
}
