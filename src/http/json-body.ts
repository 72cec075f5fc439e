import { AppError } from '../errors/app-error.ts'
import { isSameNumber } from '../util/decimal-text.ts'

const depthLimit = 64

/**
 * Parses JSON from a client: valid UTF-8, of bounded depth, without keys that reach a prototype, and
 * without numbers that would silently lose digits. Throws BODY_UNREADABLE.
 */
export function parseJsonBody(body: Buffer): unknown {
  const text = decode(body)
  const value = parse(text)
  assertHarmless(value)
  // Shorter numbers are kept exactly; only a text with longer ones is worth a look at each.
  if (/[\d.eE+-]{16}/.test(text)) JSON.parse(text, refuseLostDigits)
  return value
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw unreadable('The body is not valid UTF-8.', cause)
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw unreadable('The body is empty; a JSON document is expected.')
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw unreadable(`The body is not valid JSON: ${error.message}.`, error)
  }
}

function refuseLostDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const { source } = context
  if (Number.isFinite(value) && isSameNumber(String(value), source)) return value
  const shown = source.length > 60 ? `${source.slice(0, 60)}…` : source
  throw unreadable(`The number ${shown} has more digits than a JSON number keeps. Send it as a text.`)
}

/** Level by level, not recursively: the depth is what is in doubt. */
function assertHarmless(root: unknown): void {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthLimit) throw unreadable(`The JSON is nested deeper than ${depthLimit} levels.`)
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value))
        throw unreadable('A number is too large for JSON readers.')
      if (typeof value !== 'object' || value === null) continue
      if (Object.hasOwn(value, '__proto__')) throw unreadable('The key "__proto__" is not allowed.')
      for (const child of Object.values(value)) next.push(child)
    }
    level = next
  }
}

function unreadable(detail: string, cause?: unknown): AppError {
  return new AppError('BODY_UNREADABLE', { detail, cause })
}
