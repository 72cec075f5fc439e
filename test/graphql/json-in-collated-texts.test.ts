/** Conditions on values inside the JSON of texts, whatever the collation of their column. */
import { expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const collated: Readonly<Record<string, { readonly before?: string; readonly types: readonly string[] }>> = {
  SQLite: { types: ['text', 'text collate nocase', 'text collate rtrim'] },
  PostgreSQL: {
    before: `create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
    types: [
      'text',
      'text collate "C"',
      'text collate loose',
      'varchar(99) collate loose',
      'text collate "de-x-icu"',
    ],
  },
  MariaDB: {
    types: [
      'text',
      'text collate utf8mb4_general_ci',
      'varchar(99) character set latin1',
      'text collate utf8mb4_bin',
    ],
  },
}

test.each(products)('$name', async (product) => {
  const { before, types } = collated[product.name] ?? { types: [] }
  const gateway = await startTestGateway(product, async (options) => {
    await runStatements(options, [
      ...(before === undefined ? [] : [before]),
      `create table notes (id integer primary key, ${types.map((type, index) => `t${index} ${type}`).join()})`,
      ...[`'{"a": 1, "b": "Ab"}'`, `'{"a": 2, "b": "ab"}'`, "'no JSON'", 'null'].map(
        (text, index) => `insert into notes values (${index + 1}, ${types.map(() => text).join()})`,
      ),
    ])
  })
  try {
    for (const [index] of types.entries()) {
      const idsOf = async (condition: string) => {
        const { data, errors } = (await gateway.graphql(
          `{ notes(where: { t${index}: ${condition} }, asc: "id") { edges { node { id } } } }`,
        )) as { data: { notes: { edges: { node: { id: number } }[] } }; errors?: unknown }
        expect(errors, condition).toBeUndefined()
        return data.notes.edges.map(({ node }) => node.id)
      }
      expect(await idsOf('{ at: { path: "a", eq: 1 } }'), types[index]).toEqual([1])
      expect(await idsOf('{ at: { path: "a", gt: 1 } }')).toEqual([2])
      expect(await idsOf('{ at: { path: "b", eq: "ab" } }')).toEqual([2])
      expect(await idsOf('{ at: { path: "b", icontains: "B" } }')).toEqual([1, 2])
      expect(await idsOf('{ at: { path: "b", isNull: true } }')).toEqual([3, 4])
    }
  } finally {
    await gateway.close()
  }
})
