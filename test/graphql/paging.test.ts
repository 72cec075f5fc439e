import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { products } from '../support/products.ts'
import {
  openSampleDatabase,
  portTable,
  runGraphql,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

interface PortRow {
  readonly instance: string
  readonly name: string
  readonly operationStatus: string | null
  readonly rate: string | null
  readonly tenantId: string
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: PortRow }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

describe.each(products)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  const rows: PortRow[] = []

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    await sample.insert('Tenant', [
      ['i0', 't0', null],
      ['i1', 't1', null],
      ['i2', 't2', null],
    ])
    const statuses = [null, 'a', 'B', null, 'é', 'a']
    const rates = ['10', null, '9.5', '-3', '-3.25', '100', null]
    for (let index = 0; index < 60; index += 1) {
      rows.push({
        instance: `p${String(index).padStart(2, '0')}`,
        name: `n${index % 7}`,
        operationStatus: statuses[index % statuses.length] ?? null,
        rate: rates[index % rates.length] ?? null,
        tenantId: `t${index % 2}`,
      })
    }
    await sample.insert(
      'Port',
      rows.map((row) => [
        row.instance,
        row.instance,
        row.name,
        0,
        row.operationStatus,
        row.rate,
        row.tenantId,
      ]),
    )
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  const selection =
    'edges { cursor node { instance name operationStatus rate tenantId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  const variables =
    '$asc: [String], $desc: [String], $first: Int, $last: Int, $after: String, $before: String, $offset: Int, $limit: Int'
  const list =
    'asc: $asc, desc: $desc, first: $first, last: $last, after: $after, before: $before, offset: $offset, limit: $limit'

  type ListVariables = Readonly<Record<string, unknown>>

  async function rootPage(values: ListVariables): Promise<Page> {
    const answer = (await runGraphql(
      sample,
      snapshot,
      `query (${variables}) { Port(${list}) { ${selection} } }`,
      values,
    )) as { data: { Port: Page } }
    return answer.data.Port
  }

  /** The pages of two tenants' ports, asked for at once. */
  async function nestedPages(values: ListVariables): Promise<readonly Page[]> {
    const query = `query (${variables}) { Tenant { edges { node { portCollection(${list}) { ${selection} } } } } }`
    const answer = (await runGraphql(sample, snapshot, query, values)) as {
      data: { Tenant: { edges: { node: { portCollection: Page } }[] } }
    }
    return answer.data.Tenant.edges.map(({ node }) => node.portCollection)
  }

  interface Order {
    readonly asc: readonly (keyof PortRow)[]
    readonly desc: readonly (keyof PortRow)[]
  }

  /** What the same list is in memory: nulls lowest, texts by code point, decimals by value, then the key. */
  function sorted(all: readonly PortRow[], { asc, desc }: Order): readonly PortRow[] {
    const comparable = (row: PortRow, field: keyof PortRow) =>
      field === 'rate' && row.rate !== null ? Number(row.rate) : row[field]
    const compare = (a: PortRow, b: PortRow, field: keyof PortRow): number => {
      const [x, y] = [comparable(a, field), comparable(b, field)]
      if (x === y) return 0
      if (x === null) return -1
      if (y === null) return 1
      return x < y ? -1 : 1
    }
    const terms = [
      ...asc.map((field) => [field, 1] as const),
      ...desc.map((field) => [field, -1] as const),
      ['instance', 1] as const,
    ]
    return all.toSorted((a, b) => {
      for (const [field, sign] of terms) {
        const difference = compare(a, b, field) * sign
        if (difference !== 0) return difference
      }
      return 0
    })
  }

  const fields = ['name', 'operationStatus', 'rate', 'instance', 'tenantId'] as const
  const order = fc.record({
    asc: fc.uniqueArray(fc.constantFrom(...fields), { maxLength: 2 }),
    desc: fc.uniqueArray(fc.constantFrom(...fields), { maxLength: 2 }),
  })
  const size = fc.option(fc.nat({ max: 12 }), { nil: undefined })

  describe('a walk by cursors sees every row once, in order', () => {
    test('forward and backward', async () => {
      await fc.assert(
        fc.asyncProperty(order, fc.integer({ min: 1, max: 25 }), async (by, pageSize) => {
          const expected = sorted(rows, by).map(({ instance }) => instance)
          const forward: string[] = []
          let after: string | null = null
          for (
            let page: Page | undefined;
            page?.pageInfo.hasNextPage !== false;
            after = page.pageInfo.endCursor
          ) {
            page = await rootPage({ ...by, first: pageSize, after })
            expect(page.pageInfo.hasPreviousPage).toBe(forward.length > 0)
            forward.push(...page.edges.map(({ node }) => node.instance))
          }
          expect(forward).toEqual(expected)

          const backward: string[] = []
          let before: string | null = null
          for (
            let page: Page | undefined;
            page?.pageInfo.hasPreviousPage !== false;
            before = page.pageInfo.startCursor
          ) {
            page = await rootPage({ ...by, last: pageSize, before })
            expect(page.pageInfo.hasNextPage).toBe(backward.length > 0)
            backward.unshift(...page.edges.map(({ node }) => node.instance))
          }
          expect(backward).toEqual(expected)
        }),
        { numRuns: 40 },
      )
    })

    test('a cursor holds its place while rows come and go', async () => {
      const by = { asc: ['name'] }
      const first = await rootPage({ ...by, first: 5 })
      await sample.insert('Port', [['a-new', 'a-new', 'n0', 0, null, null, 't2']])
      const second = await rootPage({ ...by, first: 5, after: first.pageInfo.endCursor })
      await sample.database.driver.transaction((connection) =>
        connection.execute({
          sql: `delete from ${sample.database.dialect.syntax.quoteIdentifier('Port')} where instance = 'a-new'`,
          parameters: [],
        }),
      )
      const expected = sorted(rows, { asc: ['name'], desc: [] }).slice(5, 10)
      expect(second.edges.map(({ node }) => node)).toEqual(expected)
    })
  })

  describe('any page is the part of the sorted list that its arguments say', () => {
    /** Relay's algorithm on the list that `offset` and `limit` have cut. */
    function expectedPage(all: readonly PortRow[], by: Order, page: PageSpec) {
      const list = sorted(all, by)
      const cut = list.slice(
        page.offset ?? 0,
        page.limit === undefined ? undefined : (page.offset ?? 0) + page.limit,
      )
      const position = (row: PortRow) => list.indexOf(row)
      const between = cut.filter(
        (row) =>
          (page.after === undefined || position(row) > page.after) &&
          (page.before === undefined || position(row) < page.before),
      )
      let hasNextPage = page.before !== undefined && cut.some((row) => position(row) >= (page.before ?? 0))
      let hasPreviousPage = page.after !== undefined && cut.some((row) => position(row) <= (page.after ?? 0))
      let shown: readonly PortRow[] = between
      if (page.first !== undefined && shown.length > page.first) {
        shown = shown.slice(0, page.first)
        hasNextPage = true
      }
      if (page.last !== undefined && shown.length > page.last) {
        shown = shown.slice(shown.length - page.last)
        hasPreviousPage = true
      }
      return { rows: shown, hasNextPage, hasPreviousPage }
    }

    interface PageSpec {
      readonly first: number | undefined
      readonly last: number | undefined
      readonly offset: number | undefined
      readonly limit: number | undefined
      readonly after: number | undefined
      readonly before: number | undefined
    }
    const pageSpec: fc.Arbitrary<PageSpec> = fc.record({
      first: size,
      last: size,
      offset: size,
      limit: size,
      after: size,
      before: size,
    })

    function compare(page: Page, all: readonly PortRow[], by: Order, spec: PageSpec): void {
      const expected = expectedPage(all, by, spec)
      expect({
        rows: page.edges.map(({ node }) => node),
        hasNextPage: page.pageInfo.hasNextPage,
        hasPreviousPage: page.pageInfo.hasPreviousPage,
      }).toEqual(expected)
      expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor ?? null)
      expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor ?? null)
    }

    test('at the root', async () => {
      await fc.assert(
        fc.asyncProperty(order, pageSpec, async (by, spec) => {
          const cursors = (await rootPage(by)).edges.map(({ cursor }) => cursor)
          const values = {
            ...by,
            ...spec,
            after: cursors[spec.after ?? -1],
            before: cursors[spec.before ?? -1],
          }
          compare(await rootPage(values), rows, by, spec)
        }),
        { numRuns: 400 },
      )
    })

    test('in collections, each parent for itself', async () => {
      await fc.assert(
        fc.asyncProperty(order, pageSpec, async (by, spec) => {
          const cursors = (await nestedPages(by))[0]?.edges.map(({ cursor }) => cursor) ?? []
          const own = rows.filter(({ tenantId }) => tenantId === 't0')
          const values = {
            ...by,
            ...spec,
            after: cursors[spec.after ?? -1],
            before: cursors[spec.before ?? -1],
          }
          const [first, , third] = await nestedPages(values)
          compare(first as Page, own, by, spec)
          expect(third?.edges).toEqual([])
        }),
        { numRuns: 200 },
      )
    })
  })
})
