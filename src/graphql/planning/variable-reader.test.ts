import {
  buildSchema,
  GraphQLEnumType,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import type { Variables } from '../../query/value-source.ts'
import { variableReader } from './variable-reader.ts'

const schema = buildSchema(`
  enum Level { LOW HIGH }
  input Range { from: Int = 1, to: Int!, level: Level }
  type Query { any(number: Int, text: String, id: ID, level: Level, range: Range, ranges: [Range!], flag: Boolean): Int }
`)
// Internal values differ from those that are sent.
const level = schema.getType('Level')
if (level instanceof GraphQLEnumType)
  for (const [index, value] of level.getValues().entries()) value.value = index

const definitions = [
  '$a: Int',
  '$a: Int!',
  '$a: Int = 7',
  '$a: Int! = 7',
  '$a: Int = null',
  '$a: String',
  '$a: ID!',
  '$a: Boolean!',
  '$a: Level = HIGH',
  '$a: Level!',
  '$a: [Int!]',
  '$a: [Level]!',
  '$a: Range',
  '$a: [Range!] = [{to: 3}]',
  '$a: Int!, $b: Range, $toString: String',
]
const values: readonly unknown[] = [
  null,
  7,
  7.5,
  -0,
  2 ** 31,
  'x',
  '7',
  '',
  true,
  'HIGH',
  'NONE',
  0,
  1,
  [],
  [1, null],
  ['LOW', 'HIGH'],
  [[1]],
  {},
  { to: 3 },
  { to: 3, level: 'LOW' },
  { to: 3, more: 1 },
  { to: null },
  [{ to: 1 }, { from: null, to: 2 }],
]
const given: readonly Variables[] = [
  {},
  ...values.map((a) => ({ a })),
  ...values.map((b) => ({ a: 1, b, toString: 'x' })),
]

test.each(definitions)('(%s) is read as by graphql-js', (text) => {
  const [operation] = parse(`query (${text}) { any }`).definitions
  expect(operation?.kind).toBe(Kind.OPERATION_DEFINITION)
  const { variableDefinitions = [] } = operation as OperationDefinitionNode
  const read = variableReader(schema, variableDefinitions)
  for (const variables of given) {
    for (const hideSuggestions of [false, true]) {
      const expected = getVariableValues(schema, variableDefinitions, variables, { hideSuggestions })
      expect(messagesOr(read(variables, hideSuggestions))).toEqual(messagesOr(expected))
    }
  }
})

test('fields with the names of members that every object has are there only if they were sent', () => {
  const named = buildSchema(`
    scalar Json
    input Part { toString: [Part!], valueOf: Json, constructor: Part }
    type Query { any(part: Part, parts: [[Part!]]): Int }
  `)
  const [operation] = parse('query ($part: Part, $parts: [[Part!]], $more: Int) { any }').definitions
  const { variableDefinitions = [] } = operation as OperationDefinitionNode
  const read = variableReader(named, variableDefinitions)
  const json = { a: {} }
  const part = { valueOf: json, constructor: {}, toString: { toString: [{}] } }
  const { coerced } = read({ part, parts: [{}, [{ constructor: null }]] }, false)
  const inherited: unknown = Object.getPrototypeOf(coerced?.part)
  expect([Reflect.ownKeys(Object(inherited)), Object.getPrototypeOf(inherited)]).toEqual([[], null])
  expect(coerced).toEqual({
    part: { valueOf: json, constructor: {}, toString: [{ toString: [{}] }] },
    parts: [[{}], [{ constructor: null }]],
  })
  expect(messagesOr(read({ part: {}, more: 'x' }, false))).toEqual([
    'Variable "$more" got invalid value "x"; Int cannot represent non-integer value: "x"',
  ])
})

function messagesOr({ coerced, errors }: ReturnType<typeof getVariableValues>) {
  return coerced ?? errors.map(({ message }) => message)
}
