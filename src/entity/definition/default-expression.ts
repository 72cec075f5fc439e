/**
 * The small language of `field_default`: values, and calls for the current time and a new UUID. It is parsed and never executed; anything else is
 * refused with its position.
 */
import type { DefaultContext, DefaultExpression } from '../../record/record-rules.ts'
import type { FieldTypeName } from './field-types/index.ts'
import { LiteralMistake, readLiteral } from './read-literal.ts'

export type DefaultReading =
  | { readonly expression: DefaultExpression }
  /** The sentence that says where the mistake is and what works. */
  | { readonly mistake: string }

/** Calls without their blanks. Python's classes are called by their usual imports, and functions may be named only. */
const calls: readonly (readonly [form: RegExp, expression: DefaultExpression])[] = [
  [/^(?:now|utcnow)\(\)$/, { kind: 'now' }],
  [/^(?:datetime\.)?datetime\.utcnow(?:\(\))?$/, { kind: 'now' }],
  [
    /^(?:datetime\.)?datetime\.now\((?:tz=)?(?:(?:datetime\.)?timezone\.utc|(?:datetime\.)?UTC)\)$/,
    { kind: 'now' },
  ],
  [/^uuid\(\)$/, { kind: 'uuid' }],
  [/^(?:uuid\.)?uuid4(?:\(\))?$|^str\((?:uuid\.)?uuid4\(\)\)$/, { kind: 'uuid' }],
]

const whatWorks =
  "What works: a text in quotes such as 'new', a number, true, false, null (or True, False, None), a list such as [], an object such as {}, now(), utcnow(), datetime.utcnow(), datetime.now(timezone.utc), uuid(), str(uuid.uuid4())."

/** A word, or words with blanks, that was meant as a text. */
const plainText = /^[\p{L}\p{N}_ -]{1,100}$/u

/** Reads an expression. */
export function parseDefaultExpression(text: string): DefaultReading {
  const written = text.replace(/\s+/g, '')
  const call = calls.find(([form]) => form.test(written))
  if (call !== undefined) return { expression: call[1] }
  try {
    return { expression: { kind: 'literal', value: readLiteral(text) } }
  } catch (error) {
    if (!(error instanceof LiteralMistake)) throw error
    const example = plainText.test(text) ? ` As a text: "field_default": "'${text.trim()}'".` : ''
    return { mistake: `At character ${error.position}: ${error.message}.${example} ${whatWorks}` }
  }
}

/** The JSON value of an expression for a field of a type. */
export function evaluateDefault(
  expression: DefaultExpression,
  type: FieldTypeName,
  { now, uuid }: DefaultContext,
): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'now':
      return now.toISOString().slice(0, type === 'Date' ? 10 : -1)
    case 'uuid':
      return uuid()
  }
}
