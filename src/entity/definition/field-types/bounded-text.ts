import type { Encoding } from '../../../record/record-rules.ts'
import { isWellFormedText } from '../../../util/well-formed-text.ts'
import { refuse } from './field-type.ts'

/** A text of limited length (in code points, as databases count) that every database can store unchanged. */
export function encodeBoundedText(value: unknown, limit: number): Encoding {
  const expected = `A text of at most ${limit.toLocaleString('en')} characters`
  if (typeof value !== 'string') return refuse(expected, value)
  if (!isWellFormedText(value)) {
    return {
      refused: 'A text must not hold NUL or half of a surrogate pair; not every database can keep them.',
    }
  }
  if (value.length <= limit) return { value }
  const length = codePointCount(value)
  if (length <= limit) return { value }
  return { refused: `${expected} is expected here, and this one has ${length.toLocaleString('en')}.` }
}

function codePointCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
