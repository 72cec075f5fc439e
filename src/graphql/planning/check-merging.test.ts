import {
  buildSchema,
  type FragmentDefinitionNode,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { allCases } from '../../../test/support/part-of.ts'
import { findMergeConflict } from './check-merging.ts'

const schema = buildSchema(`
  interface Node { id: ID! name: String node: Node }
  type A implements Node { id: ID! name: String node: Node a(x: Int): A list: [A!]! count: Int }
  type B implements Node { id: ID! name: String node: Node b: B list: [B] count: String }
  type Query { node: Node a(x: Int): A b: B }
`)

function conflictIn(text: string): string | undefined {
  const document = parse(text)
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const conflict = findMergeConflict(schema, definition, fragments)
    if (conflict !== undefined) return conflict.message
  }
  return undefined
}

const advice = 'Use different aliases on the fields to fetch both if this was intentional.'

test.each([
  ['{a{id id} a{id name}}', undefined],
  ['{a(x:1){id} a(x:1){name}}', undefined],
  ['{node{... on A{x:name} ... on B{x:name}}}', undefined],
  ['{node{... on A{x:id} ... on B{x:id}}}', undefined],
  ['{node{... on A{a(x:1){id}} ... on B{a:b{id}}}}', undefined],
  ['{x:a{id} x:b{id}}', `Fields "x" conflict because "a" and "b" are different fields. ${advice}`],
  ['{a(x:1){id} a(x:2){id}}', `Fields "a" conflict because they have differing arguments. ${advice}`],
  [
    '{a{x:id x:name}}',
    `Fields "x" conflict because they return conflicting types "ID!" and "String". ${advice}`,
  ],
  [
    '{a{x:name} a{...F}} fragment F on A{x:node{id}}',
    `Fields "a" conflict because subfields "x" conflict because they return conflicting types "String" and "Node". ${advice}`,
  ],
  [
    '{node{... on A{count} ... on B{count}}}',
    `Fields "count" conflict because they return conflicting types "Int" and "String". ${advice}`,
  ],
])('%s', (text, message) => {
  expect(conflictIn(text)).toBe(message)
})

test('R12: it finds a conflict exactly where graphql-js does', () => {
  const { query, ofA } = fc.letrec<Record<'query' | 'ofNode' | 'ofA' | 'ofB', string>>((tie) => {
    const some = (...fields: readonly fc.Arbitrary<string>[]) =>
      fc
        .array(fc.oneof({ maxDepth: 4 }, ...fields), { minLength: 1, maxLength: 3 })
        .map((all) => all.join(' '))
    const inside = (key: 'ofNode' | 'ofA' | 'ofB', ...fronts: readonly string[]) =>
      fc.tuple(fc.constantFrom(...fronts), tie(key)).map(([front, inner]) => `${front}{${inner}}`)
    const leaf = fc.constantFrom('id', 'name', 'x:id', 'x:name', '__typename', 'x:__typename')
    const narrower = [
      inside('ofA', '... on A'),
      inside('ofB', '... on B'),
      inside('ofNode', 'node', 'x:node'),
    ]
    return {
      query: some(
        leafOf('__typename'),
        inside('ofNode', 'node', 'x:node'),
        inside('ofA', 'a', 'x:a', 'a(x:1)'),
        inside('ofB', 'b', 'x:b'),
      ),
      ofNode: some(leaf, leafOf('...F'), ...narrower),
      ofA: some(
        leaf,
        leafOf('count', 'x:count', '...F'),
        inside('ofA', 'a', 'x:a', 'a(x:1)', 'list', '... on A'),
        inside('ofNode', 'node', '... on Node'),
      ),
      ofB: some(
        leaf,
        leafOf('count', 'x:count'),
        inside('ofB', 'b', 'x:b', 'list', '... on B'),
        inside('ofNode', 'node', '... on Node'),
      ),
    }
  })
  const runs = allCases ? 3000 : 1000
  let conflicts = 0
  fc.assert(
    fc.property(query, ofA, (asked, inF) => {
      const text = `{${asked}} fragment F on A{${inF.replaceAll('...F', 'id')}}`
      // Fields in an unused fragment are refused by another rule.
      if (!asked.includes('...F')) return
      const expected =
        validate(schema, parse(text), [OverlappingFieldsCanBeMergedRule], { maxErrors: 1 }).length > 0
      if (expected) conflicts += 1
      expect([text, conflictIn(text) !== undefined]).toEqual([text, expected])
    }),
    { numRuns: runs },
  )
  expect(conflicts).toBeGreaterThan(runs / 30)
})

function leafOf(...fields: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...fields)
}
