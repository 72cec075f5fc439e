/** Infinite numbers in tables of other programs of SQLite: compared as the numbers that they are. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

test.each(products.filter(({ name }) => name === 'SQLite'))('$name', async (product) => {
  const gateway = await startTestGateway(product, (options) =>
    executeAll(options, [
      'create table loose (id integer primary key, r real, i integer, d decimal(10,2))',
      'insert into loose values (1, 9e999, -9e999, 9e999), (2, 1, 1, 1), (3, 5, 5, 5)',
    ]),
  )
  try {
    const found = async (key: string, op: string, val: unknown) => {
      const answer = await gateway.graphql(
        'query ($filters: GenericScalar) { loose(filters: $filters, asc: "id") { edges { node { id } } } }',
        { filters: [{ key, op, val }] },
      )
      return (answer as { data: { loose: { edges: { node: { id: number } }[] } } }).data.loose.edges.map(
        ({ node }) => node.id,
      )
    }
    for (const key of ['r', 'd']) {
      expect(await found(key, '<', 'Infinity')).toEqual([2, 3])
      expect(await found(key, '<=', 'Infinity')).toEqual([1, 2, 3])
      expect(await found(key, '>=', 'Infinity')).toEqual([1])
      expect(await found(key, '==', 'Infinity')).toEqual([1])
      expect(await found(key, '!=', 'Infinity')).toEqual([2, 3])
      expect(await found(key, 'in', ['Infinity', 5])).toEqual([1, 3])
    }
    expect(await found('i', '<', '-Infinity')).toEqual([])
    expect(await found('i', '<=', '-Infinity')).toEqual([1])
    expect(await found('i', '>', '-Infinity')).toEqual([2, 3])
  } finally {
    await gateway.close()
  }
})
