import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeGraphql, type GraphqlResponse } from '../../src/graphql/execute-graphql.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

const rowCount = 3456
const names = Array.from({ length: rowCount }, (_, number) => `n${String(number).padStart(5, '0')}`)

describe.each(readers)('$name: lists of more rows than are held at once', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  const run = (query: string, variables = {}) => runGraphql(sample, snapshot, query, variables)

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    const text = (name: string, nullable = false) => ({ name, type: 'string', nullable }) as const
    await sample.create([
      {
        name: 'Owner',
        columns: [text('id')],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
      {
        name: 'Item',
        columns: [text('id'), text('ownerId', true), text('long')],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [{ columns: ['ownerId'], referencedTable: 'Owner', referencedColumns: ['id'] }],
        indexes: [['ownerId', 'id']],
      },
    ])
    await sample.insert('Owner', [['even'], ['odd']])
    const { driver, dialect } = sample.database
    await driver.transaction(async (connection) => {
      for (let start = 0; start < rowCount; start += 100) {
        const rows = names
          .slice(start, start + 100)
          .map((name, index) => [name, (start + index) % 2 === 0 ? 'even' : 'odd', 'long '.repeat(10)])
        const places = rows.map(
          (row, at) =>
            `(${row.map((_, index) => dialect.syntax.placeholder(at * 3 + index + 1)).join(', ')})`,
        )
        await connection.execute({
          sql: `insert into ${dialect.syntax.quoteIdentifier('Item')} values ${places.join(', ')}`,
          parameters: rows.flat(),
        })
      }
    })
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  const edges = (ids: readonly string[]) => ids.map((id) => ({ node: { id } }))

  test('come whole, in order', async () => {
    expect(await run('{ Item { edges { node { id } } } }')).toEqual({
      data: { Item: { edges: edges(names) } },
    })
    expect(await run('{ Item(desc: "id") { edges { node { id } } } }')).toEqual({
      data: { Item: { edges: edges(names.toReversed()) } },
    })
  })

  test('and go out piece by piece', async () => {
    const answer: GraphqlResponse = await executeGraphql(
      { query: '{ Item { edges { node { id long } } } }', variables: {} },
      snapshot,
      sample.database,
      { onFailure: () => undefined },
    )
    if (answer.kind !== 'pieces') throw new Error('the answer came whole')
    const pieces: string[] = []
    for await (const piece of answer.pieces) pieces.push(piece.toString())
    expect(pieces.length).toBeGreaterThan(2)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(200_000)
    const { data } = JSON.parse(pieces.join('')) as { data: { Item: { edges: unknown[] } } }
    expect(data.Item.edges).toHaveLength(rowCount)
  })

  test.each([
    ['{ edges { node { id } } pageInfo { hasNextPage hasPreviousPage } totalCount }'],
    ['{ totalCount pageInfo { hasNextPage hasPreviousPage } edges { node { id } } }'],
  ])('with what is known of them before and after: %s', async (fields) => {
    expect(await run(`{ Item(first: 2000, offset: 10) ${fields} }`)).toEqual({
      data: {
        Item: {
          edges: edges(names.slice(10, 2010)),
          pageInfo: { hasNextPage: true, hasPreviousPage: false },
          totalCount: rowCount,
        },
      },
    })
    expect(await run(`{ Item(filters: [{key: "ownerId", op: "==", val: "odd"}]) ${fields} }`)).toEqual({
      data: {
        Item: {
          edges: edges(names.filter((_, index) => index % 2 === 1)),
          pageInfo: { hasNextPage: false, hasPreviousPage: false },
          totalCount: rowCount / 2,
        },
      },
    })
  })

  test('with aggregates and groups before and after', async () => {
    const groups = 'groups(by: {field: ownerId}) { count }'
    expect(
      await run(
        `{ Item(first: 2000) { a: aggregates { count } edges { node { id } } b: aggregates { min { id } } ${groups} } }`,
      ),
    ).toEqual({
      data: {
        Item: {
          a: { count: rowCount },
          edges: edges(names.slice(0, 2000)),
          b: { min: { id: names[0] } },
          groups: [{ count: rowCount / 2 }, { count: rowCount / 2 }],
        },
      },
    })
  })

  test('page after page, with cursors of the ends', async () => {
    const walked: string[] = []
    let after: string | null = null
    do {
      const answer = (await run(
        'query ($after: String) { Item(first: 1500, after: $after) { pageInfo { endCursor hasNextPage } edges { node { id } cursor } } }',
        { after },
      )) as {
        data: {
          Item: {
            pageInfo: { endCursor: string; hasNextPage: boolean }
            edges: { node: { id: string }; cursor: string }[]
          }
        }
      }
      const { pageInfo, edges: found } = answer.data.Item
      walked.push(...found.map(({ node }) => node.id))
      expect(found.at(-1)?.cursor).toBe(pageInfo.endCursor)
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(walked).toEqual(names)
  })

  test.each([
    ['{ edges { node { id } } pageInfo { hasNextPage hasPreviousPage } }'],
    ['{ pageInfo { hasNextPage hasPreviousPage } edges { node { id } } }'],
  ])('up to a cursor, with what follows it: %s', async (fields) => {
    const cursorOf = async (index: number) => {
      const answer = (await run(`{ Item(offset: ${index}, limit: 1) { edges { cursor } } }`)) as {
        data: { Item: { edges: { cursor: string }[] } }
      }
      return answer.data.Item.edges[0]?.cursor
    }
    const [after, before] = [await cursorOf(9), await cursorOf(3000)]
    expect(
      await run(
        `query ($after: String, $before: String) { Item(after: $after, before: $before) ${fields} }`,
        {
          after,
          before,
        },
      ),
    ).toEqual({
      data: {
        Item: {
          edges: edges(names.slice(10, 3000)),
          pageInfo: { hasNextPage: true, hasPreviousPage: true },
        },
      },
    })
  })

  test('with references, collections and other lists', async () => {
    const answer = (await run(
      '{ Item { edges { node { id owner { id itemCollection(first: 1) { edges { node { id } } } } } } } few: Item(limit: 1) { edges { node { id } } } }',
    )) as { data: { Item: { edges: { node: unknown }[] }; few: unknown } }
    const owner = (index: number) => ({
      id: index % 2 === 0 ? 'even' : 'odd',
      itemCollection: { edges: edges([names[index % 2] ?? '']) },
    })
    expect(answer.data.Item.edges.map(({ node }) => node)).toEqual(
      names.map((id, index) => ({ id, owner: owner(index) })),
    )
    expect(answer.data.few).toEqual({ edges: edges(names.slice(0, 1)) })
  })

  test('beside a field that fails', async () => {
    const answer = await run(
      '{ Item { edges { node { id } } } bad: Item(first: -1) { totalCount edges { cursor } } }',
    )
    expect(answer).toEqual({
      data: { Item: { edges: edges(names) }, bad: null },
      errors: [
        {
          message: 'first takes a whole number from 0 up, not -1.',
          locations: [{ line: 1, column: 34 }],
          path: ['bad'],
          extensions: { code: 'PARAMETER_INVALID' },
        },
      ],
    })
  })

  test('a reader who stops lets the connection go', async () => {
    for (let number = 0; number < 12; number += 1) {
      const answer = await executeGraphql(
        { query: '{ Item { edges { node { id long owner { id } } } } }', variables: {} },
        snapshot,
        sample.database,
        { onFailure: () => undefined },
      )
      if (answer.kind !== 'pieces') throw new Error('the answer came whole')
      for await (const piece of answer.pieces) {
        expect(piece.toString()).toContain('edges')
        break
      }
    }
    expect(await run('{ Owner { totalCount } }')).toEqual({ data: { Owner: { totalCount: 2 } } })
  })
})
