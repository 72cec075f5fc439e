/** Names of fields whose values must never appear in a log, with any prefix or suffix. */
const secretName =
  /pass(word|wd|phrase)?$|secret|token|cookie|authorization|(^|[^a-z])key$|apikey|parameters$|variables$/i

/** Replaces a secret in a log line. */
const redacted = '(redacted)'

/**
 * A copy in which the values of all secret fields are replaced, at any depth. Events hold no
 * secrets; this is a safety net for objects that are attached to them.
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
