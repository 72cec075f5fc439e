import { isUtf8 } from 'node:buffer'
import {
  depthLimit,
  duplicateMistake,
  readNumber,
  refuseTooLarge,
  unreadable,
} from '../documents/json-rules.ts'
import { countMembers, findDuplicateKey } from '../documents/json-text.ts'
import { readLongJson } from '../documents/read-long-json.ts'

/** Bodies up to this size are parsed at once: that takes a few milliseconds. */
const shortBytes = 65_536

/**
 * Reads JSON from a client: valid UTF-8, of bounded depth, without `__proto__` or duplicate keys, and without numbers
 * that would silently lose digits. Long ones are parsed in time slices. Throws BODY_UNREADABLE, or BODY_TOO_LARGE if a
 * long one holds too many values.
 */
export async function readJsonBody(body: Buffer): Promise<unknown> {
  return body.length <= shortBytes ? parseJsonBody(body) : readLongJson(decode(body))
}

/** The same at once, whatever its length. */
export function parseJsonBody(body: Buffer): unknown {
  const text = decode(body)
  const value = parse(text)
  const { members, hasNumbers } = countHarmless(value)
  if (members < countMembers(text)) refuseTwin(text)
  // Shorter numbers are exact; only a text with longer ones needs a check of each.
  if (hasNumbers && /[\d.eE+-]{16}/.test(text)) JSON.parse(text, withoutLostDigits)
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

function withoutLostDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? readNumber(context.source) : value
}

/**
 * How many members its objects have, and whether there is a number. Level by level, not recursively, since the depth is
 * unknown.
 */
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
        refuseTooLarge(value)
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

/** Refuses a text in which an object has a duplicate key. */
function refuseTwin(text: string): void {
  const duplicate = findDuplicateKey(text)
  if (duplicate !== undefined) throw duplicateMistake(duplicate)
}
