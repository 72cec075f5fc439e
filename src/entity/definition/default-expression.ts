/**
 * The small language of `field_default`: values and three calls. It is parsed and never executed; anything else is
 * refused with its position.
 */
import type { DefaultContext } from '../../record/record-rules.ts'
import type { FieldTypeName } from './field-types/index.ts'
import { LiteralMistake, readLiteral } from './read-literal.ts'

export type DefaultExpression =
  | { readonly kind: 'literal'; readonly value: unknown }
  /** The current time in UTC. */
  | { readonly kind: 'now' }
  /** A new random UUID. */
  | { readonly kind: 'uuid' }

export type DefaultReading =
  | { readonly expression: DefaultExpression }
  /** The sentence that says where the mistake is and what works. */
  | { readonly mistake: string }

const calls: ReadonlyMap<string, DefaultExpression> = new Map([
  ['now()', { kind: 'now' }],
  ['utcnow()', { kind: 'now' }],
  ['datetime.utcnow()', { kind: 'now' }],
  ['datetime.datetime.utcnow()', { kind: 'now' }],
  ['uuid()', { kind: 'uuid' }],
  ['str(uuid.uuid4())', { kind: 'uuid' }],
])

const whatWorks = `What works: a text in quotes such as 'new', a number, true, false, null (or True, False, None), a list such as [], an object such as {}, ${[...calls.keys()].join(', ')}.`

/** Reads an expression. */
export function parseDefaultExpression(text: string): DefaultReading {
  const call = calls.get(text.replace(/\s+/g, ''))
  if (call !== undefined) return { expression: call }
  try {
    return { expression: { kind: 'literal', value: readLiteral(text) } }
  } catch (error) {
    if (!(error instanceof LiteralMistake)) throw error
    return { mistake: `At character ${error.position}: ${error.message}. ${whatWorks}` }
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
