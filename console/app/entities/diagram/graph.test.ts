import { expect, test } from 'vitest'
import { drawnFields, graphOf, neighbourhood, type ReadTable } from './graph.ts'
import { layoutOf } from './layout.ts'

const field = (name: string) => ({
  name,
  column: name,
  type: 'String',
  kind: 'text',
  native_type: 'text',
  nullable: true,
})

function table(name: string, references: Readonly<Record<string, string>> = {}): ReadTable {
  return {
    name,
    key: ['id'],
    fields: [field('id'), ...Object.keys(references).map(field), field('note')] as ReadTable['fields'],
    references: Object.entries(references).map(([own, other]) => ({
      ...{ name: other, table: other, other_name: name, has_global_id: true },
      fields: [{ own, other: 'id' }],
    })),
  }
}

const tables = [
  table('a', { b_id: 'b' }),
  table('b', { c_id: 'c' }),
  table('c'),
  table('d', { d_id: 'd', x_id: 'x' }),
]

test('a graph has the references between its tables, those to themselves too', () => {
  const { links, tables: nodes } = graphOf(tables)
  expect(links.map(({ from, to }) => `${from} ${to}`)).toEqual(['a b', 'b c', 'd d'])
  expect(nodes[0]?.fields).toEqual([
    { name: 'id', type: 'String', isKey: true, isReference: false },
    { name: 'b_id', type: 'String', isKey: false, isReference: true },
    { name: 'note', type: 'String', isKey: false, isReference: false },
  ])
})

test.each([
  ['a', 1, ['a', 'b']],
  ['a', 2, ['a', 'b', 'c']],
  ['b', 1, ['a', 'b', 'c']],
  ['d', 2, ['d']],
  ['none', 2, []],
])('what is near %s, up to %d', (center, depth, expected) => {
  expect(neighbourhood(graphOf(tables), center, depth).tables.map(({ id }) => id)).toEqual(expected)
})

test('by default only keys and references are drawn', () => {
  const [a] = graphOf(tables).tables
  if (a === undefined) throw new Error('There is no table.')
  expect(drawnFields(a, false)).toEqual([a.fields.slice(0, 2), 1])
  expect(drawnFields(a, true)).toEqual([a.fields, 0])
})

test('tables are laid out side by side, none over another', () => {
  const many = Array.from({ length: 200 }, (_, index) => table(`t${index}`, { up: `t${index >> 1}` }))
  const places = [...layoutOf(graphOf(many), false).values()]
  expect(places).toHaveLength(200)
  const overlaps = places.filter((one, index) =>
    places.some(
      (other, second) =>
        second > index &&
        one.x < other.x + other.width &&
        other.x < one.x + one.width &&
        one.y < other.y + other.height &&
        other.y < one.y + one.height,
    ),
  )
  expect(overlaps).toEqual([])
})
