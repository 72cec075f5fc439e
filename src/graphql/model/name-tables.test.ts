import { expect, test } from 'vitest'
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { TableNames } from '../../database/table-names.ts'
import { nameTables } from './name-tables.ts'

/** Tables by `schema.name`, or by name if there are no schemas. */
function schemaOf(names: readonly string[], schemas?: readonly string[]): DatabaseSchema {
  const tables = names.map((full): readonly [string, Table] => {
    const [schema, name = full] = schemas === undefined ? [undefined] : full.split('.')
    const id = schema === undefined || schema === schemas?.[0] ? name : `${schema}\u0000${name}`
    const table: Table = {
      id,
      name,
      ...(schema !== undefined && { schema }),
      kind: 'table',
      columns: new Map(),
      primaryKey: [],
      uniqueKeys: [],
      foreignKeys: [],
    }
    return [id, table]
  })
  return { tables: new Map(tables), leftOut: [], ...(schemas && { schemas }) }
}

const namesIn = (schema: DatabaseSchema, given: TableNames = {}) =>
  [...schema.tables.values()].map((table) => nameTables(schema, given).byId.get(table.id))

test('names that are held as they are come first, then schemas in their order', () => {
  expect(namesIn(schemaOf(['a b', 'a-b', 'a_b', 'node', '9']))).toEqual([
    'a_b_2',
    'a_b_3',
    'a_b',
    'node_2',
    'n9',
  ])
  expect(namesIn(schemaOf(['a.t', 'z.t', 'z.x-y', 'm.x_y', 'm.a_t'], ['z', 'm', 'a']))).toEqual([
    'a_t_2',
    't',
    'z_x_y',
    'x_y',
    'a_t',
  ])
})

test('a name stays with its table, also while that is away', () => {
  const first = nameTables(schemaOf(['m.t'], ['m']), {})
  const both = nameTables(schemaOf(['a.t', 'm.t'], ['a', 'm']), first.given)
  expect([...both.byId]).toEqual([
    ['m\u0000t', 't'],
    ['t', 'a_t'],
  ])
  expect(both.longer.map(({ name, wanted }) => [wanted, name])).toEqual([['t', 'a_t']])
  const away = nameTables(schemaOf(['a.t', 'b.t'], ['b', 'a']), both.given)
  expect(Object.entries(away.given)).toEqual([
    ['["m","t"]', 't'],
    ['["a","t"]', 'a_t'],
    ['["b","t"]', 'b_t'],
  ])
})

test('ten thousand tables that are alike for GraphQL each have a name', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => String.fromCodePoint(0x4e00 + index))
  const { byId } = nameTables(schemaOf(names), {})
  expect(new Set(byId.values()).size).toBe(10_000)
  expect([byId.get('一'), byId.get('丁')]).toEqual(['_', '__2'])
})
