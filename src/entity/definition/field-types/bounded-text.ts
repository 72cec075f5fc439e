import type { Encoding } from '../../../record/record-rules.ts'
import { isWellFormedText } from '../../../util/well-formed-text.ts'
import { refuse } from './field-type.ts'

/** A text of limited length (in code points, as databases count) that every database can store unchanged. */
export function encodeBoundedText(value: unknown, limit: number): Encoding {
  if (typeof value !== 'string') return refuse(expected(limit), value)
  if (!isWellFormedText(value)) {
    return {
      refused: 'A text must not hold NUL or half of a surrogate pair; not every database can keep them.',
    }
  }
  if (value.length <= limit) return { value }
  const length = codePointCount(value)
  if (length <= limit) return { value }
  return { refused: `${expected(limit)} is expected here, and this one has ${length.toLocaleString('en')}.` }
}

function expected(limit: number): string {
  return `A text of at most ${limit.toLocaleString('en')} characters`
}

function codePointCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
