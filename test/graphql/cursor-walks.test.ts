import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SortOrder } from '../../src/database/table-order.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { partOf } from '../support/part-of.ts'
import { readers, type TestProduct } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'
import { type OddTable, oddDatabases } from '../support/tables-of-odd-order.ts'

interface Connection {
  readonly totalCount: number
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  readonly edges: readonly { readonly node: { readonly n: number; readonly GlobalId?: string } }[]
}

const productNames = { SQLite: 'sqlite', MariaDB: 'mysql' } as const

function oddDatabaseOf({ name }: TestProduct) {
  return oddDatabases[name in productNames ? productNames[name as keyof typeof productNames] : 'postgresql']
}

describe.each(readers)('$name', (product) => {
  const { statements, tables } = oddDatabaseOf(product)
  let sample: SampleDatabase

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.execute(statements)
  })
  afterAll(() => sample.close())

  describe.each(['native', 'portable'] satisfies SortOrder[])('%s order', (sortOrder) => {
    let snapshot: SchemaSnapshot
    beforeAll(async () => {
      snapshot = await sample.snapshot(sortOrder)
    })

    async function list(table: string, values: string, cursor?: string): Promise<Connection> {
      const pageInfo = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
      const document = `${cursor === undefined ? '' : 'query ($cursor: String)'} { ${table}${values === '' ? '' : `(${values})`} { totalCount ${pageInfo} edges { node { n } } } }`
      const { data, errors } = (await runGraphql(
        sample,
        snapshot,
        document,
        cursor === undefined ? {} : { cursor },
      )) as {
        data: Record<string, Connection | null>
        errors?: unknown
      }
      expect(errors).toBeUndefined()
      return data[table] as Connection
    }

    const numbersOf = ({ edges }: Connection) => edges.map(({ node }) => node.n)

    async function walk(table: OddTable, order: string, size: number, way: 'first' | 'last') {
      const walked: number[] = []
      let cursor: string | null = null
      for (;;) {
        const from = cursor === null ? '' : `${way === 'first' ? 'after' : 'before'}: $cursor`
        const values = [order, `${way}: ${size}`, from].filter(Boolean).join(', ')
        const page = await list(table.name, values, cursor ?? undefined)
        expect(page.totalCount).toBe(table.rows)
        expect(walked.length).toBeLessThan(table.rows)
        if (way === 'first') walked.push(...numbersOf(page))
        else walked.unshift(...numbersOf(page))
        const { pageInfo } = page
        expect(way === 'first' ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== null)
        cursor = way === 'first' ? pageInfo.endCursor : pageInfo.startCursor
        if (!(way === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return walked
      }
    }

    const orders = tables.flatMap((table) =>
      table.orders.flatMap((fields) => {
        const names = (list: readonly string[]) => `[${list.map((name) => `"${name}"`).join(', ')}]`
        const spelled = [
          `asc: ${names(fields)}`,
          `desc: ${names(fields)}`,
          `asc: ${names(fields.slice(0, 1))}, desc: ${names(fields.slice(1))}`,
          `desc: ${names(fields.slice(0, 1))}, asc: ${names(fields.slice(1))}`,
        ]
        return (fields.length === 0 ? [''] : spelled.slice(0, fields.length > 1 ? 4 : 2)).map(
          (order) => [table.name, order, table] as const,
        )
      }),
    )

    const start = readers.indexOf(product) + (sortOrder === 'native' ? 0 : 1)
    test.each(partOf(orders, 8, start))(
      '%s sorted by {%s} is walked once, both ways',
      async (_name, order, table) => {
        const whole = numbersOf(await list(table.name, [order, 'first: 1000'].filter(Boolean).join(', ')))
        expect(whole.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: table.rows }, (_, index) => index + 1),
        )
        for (const size of [1, 3]) {
          expect(await walk(table, order, size, 'first')).toEqual(whole)
          expect(await walk(table, order, size, 'last')).toEqual(whole)
        }
      },
    )

    const keyed = tables.filter(({ hasKey }) => hasKey)
    test.each(keyed)('each row of $name has its own GlobalId, which finds it', async ({ name, rows }) => {
      const { data } = (await runGraphql(
        sample,
        snapshot,
        `{ ${name} { edges { node { n GlobalId } } } }`,
      )) as {
        data: Record<string, Connection>
      }
      const edges = data[name]?.edges ?? []
      expect(new Set(edges.map(({ node }) => node.GlobalId)).size).toBe(rows)
      for (const { node } of edges) {
        const document = `query ($id: ID!, $same: GenericScalar) { node(GlobalId: $id) { ... on ${name}_ { n GlobalId } } list: ${name}(GlobalId: $same) { edges { node { n } } } }`
        const variables = { id: node.GlobalId, same: node.GlobalId }
        expect(await runGraphql(sample, snapshot, document, variables)).toEqual({
          data: { node, list: { edges: [{ node: { n: node.n } }] } },
        })
      }
    })
  })
})
