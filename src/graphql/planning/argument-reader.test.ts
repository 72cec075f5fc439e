import {
  buildSchema,
  type FieldNode,
  GraphQLEnumType,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import type { Variables } from '../../query/value-source.ts'
import { argumentReader } from './argument-reader.ts'

const schema = buildSchema(`
  enum Level { LOW HIGH }
  scalar JSON
  input Range { from: Int = 1, to: Int!, level: Level, inner: Range }
  input Choice @oneOf { one: Int, other: Range }
  type Query {
    any(
      number: Int, needed: Int! = 5, text: String = "x", level: Level, range: Range, ranges: [Range!], lists: [[Int]],
      choice: Choice, json: JSON
    ): Int
  }
`)
// Internal values differ from those that are sent.
const level = schema.getType('Level')
if (level instanceof GraphQLEnumType)
  for (const [index, value] of level.getValues().entries()) value.value = index
const any = schema.getQueryType()?.getFields().any

const documents = [
  '{ any }',
  '{ any(number: 1, needed: 2, text: "t", level: HIGH) }',
  '{ any(number: null, text: null, range: null) }',
  '{ any(range: { to: 3, level: LOW }) }',
  '{ any(range: { from: null, to: 3, inner: { to: 4 } }, ranges: { to: 1 }, lists: [1, [2, null]]) }',
  '{ any(choice: { one: 1 }, json: { a: [1, "x", null, 1.5] }) }',
  'query ($number: Int) { any(number: $number) }',
  'query ($number: Int) { any(needed: $number) }',
  'query ($number: Int!) { any(needed: $number, range: { to: $number }) }',
  'query ($number: Int = 3) { any(range: { from: $number, to: 3 }) }',
  'query ($number: Int = 3) { any(range: { to: $number }) }',
  'query ($number: Int, $level: Level) { any(range: { to: 1, level: $level, inner: { to: 2, from: $number } }) }',
  'query ($constructor: Int) { any(number: $constructor, range: { to: 1, from: $constructor }) }',
  'query ($number: Int) { any(lists: [[$number], [1, $number]]) }',
  'query ($number: Int!) { any(ranges: [{ to: $number }, { to: 2 }]) }',
  'query ($range: Range) { any(range: $range, ranges: []) }',
  'query ($range: Range!) { any(range: { to: 1, inner: $range }, ranges: [$range]) }',
  'query ($ranges: [Range!]) { any(ranges: $ranges) }',
  'query ($number: Int!) { any(choice: { one: $number }) }',
  'query ($number: Int) { any(json: { a: [$number], b: $number }) }',
]
const givens: readonly Variables[] = [
  {},
  { number: 7, level: 'HIGH', constructor: 9 },
  { number: null, level: null, range: null, ranges: null },
  { number: 0, range: { to: 2 }, ranges: [{ to: 1 }, { to: 2, from: null }] },
]

/** The result, or the message of the error. */
function outcomeOf(work: () => unknown): unknown {
  try {
    return { ...(work() as object) }
  } catch (error) {
    return String(error)
  }
}

test.each(documents)('%s is read as by graphql-js', (text) => {
  const document = parse(text)
  expect(validate(schema, document)).toEqual([])
  const [operation] = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )
  const field = operation?.selectionSet.selections[0] as FieldNode
  if (any === undefined) throw new Error('There is such a field.')
  const read = argumentReader(any, field)
  let compared = 0
  // Twice: nothing is left behind by the first time.
  for (const given of [...givens, ...givens]) {
    const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], given)
    if (coerced === undefined) continue
    compared += 1
    expect(outcomeOf(() => read(coerced))).toEqual(outcomeOf(() => getArgumentValues(any, field, coerced)))
  }
  expect(compared).toBeGreaterThan(1)
})
