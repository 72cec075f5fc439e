import { isUtf8 } from 'node:buffer'
import { AppError } from '../errors/app-error.ts'
import { isSameNumber } from '../util/decimal-text.ts'
import { countMembers, findTwin } from './json-members.ts'
import { jsonPointer } from './parse-document.ts'

const depthLimit = 64

/**
 * Parses JSON from a client: valid UTF-8, of bounded depth, without keys that reach a prototype or are there
 * twice, and without numbers that would silently lose digits. Throws BODY_UNREADABLE.
 */
export function parseJsonBody(body: Buffer): unknown {
  const text = decode(body)
  const value = parse(text)
  const { members, hasNumbers } = countHarmless(value)
  if (members < countMembers(text)) refuseTwin(text)
  // Shorter numbers are kept exactly; only a text with longer ones is worth a look at each.
  if (hasNumbers && /[\d.eE+-]{16}/.test(text)) JSON.parse(text, refuseLostDigits)
  return value
}

const byteOrderMark = '\ufeff'

function decode(body: Buffer): string {
  if (!isUtf8(body)) throw unreadable('The body is not valid UTF-8.')
  const text = body.toString('utf8')
  return text.startsWith(byteOrderMark) ? text.slice(1) : text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    if (text.trim() === '') throw unreadable('The body is empty; a JSON document is expected.')
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

/** How many members its objects have, and whether there is a number. Level by level, not recursively: the depth is what is in doubt. */
function countHarmless(root: unknown): { readonly members: number; readonly hasNumbers: boolean } {
  let members = 0
  let hasNumbers = false
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthLimit) throw unreadable(`The JSON is nested deeper than ${depthLimit} levels.`)
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number') {
        hasNumbers = true
        if (!Number.isFinite(value)) throw unreadable('A number is too large for JSON readers.')
      }
      if (typeof value !== 'object' || value === null) continue
      if (Object.hasOwn(value, '__proto__')) throw unreadable('The key "__proto__" is not allowed.')
      const children = Object.values(value)
      if (!Array.isArray(value)) members += children.length
      for (const child of children) next.push(child)
    }
    level = next
  }
  return { members, hasNumbers }
}

/** Refuses a text in which an object has a key twice. */
function refuseTwin(text: string): void {
  const twin = findTwin(text)
  if (twin === undefined) return
  const { key, path } = twin
  const place = path.length === 0 ? 'the body' : jsonPointer(path)
  throw unreadable(
    `The key ${JSON.stringify(shortened(key))} is there twice in ${shortened(place)}. Leave one of them out.`,
  )
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function unreadable(detail: string, cause?: unknown): AppError {
  return new AppError('BODY_UNREADABLE', { detail, cause })
}
