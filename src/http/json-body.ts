import { AppError } from '../errors/app-error.ts'

const depthLimit = 64

/** Parses JSON from a client: valid UTF-8, of bounded depth, without keys that reach a prototype. */
export function parseJsonBody(body: Buffer): unknown {
  const value = parse(decode(body))
  assertHarmless(value)
  return value
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw new AppError('BODY_UNREADABLE', { detail: 'The body is not valid UTF-8.', cause })
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') {
    throw new AppError('BODY_UNREADABLE', { detail: 'The body is empty; a JSON document is expected.' })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : ''
    throw new AppError('BODY_UNREADABLE', { detail: `The body is not valid JSON: ${reason}.`, cause })
  }
}

/** Level by level, not recursively: the depth is what is in doubt. */
function assertHarmless(root: unknown): void {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthLimit) {
      throw new AppError('BODY_UNREADABLE', {
        detail: `The JSON is nested deeper than ${depthLimit} levels.`,
      })
    }
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (Object.hasOwn(value, '__proto__')) {
        throw new AppError('BODY_UNREADABLE', { detail: 'The key "__proto__" is not allowed.' })
      }
      for (const child of Object.values(value)) next.push(child)
    }
    level = next
  }
}
