import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeGraphql, type GraphqlResponse } from '../../src/graphql/execute-graphql.ts'
import { defaultResponseLimits, type ResponseLimits } from '../../src/graphql/execution/response-limits.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { type SchemaSnapshot, snapshotOf } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import {
  answerText,
  openSampleDatabase,
  portTable,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

const portsOfOne = 300
const tenants = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const idsOf = (tenant: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${tenant}-${String(number).padStart(4, '0')}`)
const big = idsOf('big', portsOfOne)
const small = tenants.flatMap((tenant) => idsOf(tenant, 150))
const edges = (ids: readonly string[]) => ids.map((id) => ({ node: { id } }))

interface Answered {
  readonly data: Record<string, { readonly edges: readonly unknown[]; readonly pageInfo?: unknown } | null>
  readonly errors?: readonly unknown[]
}

/** The ports of each port's tenant, so many times in each other. */
function neighbours(times: number, fields = 'id'): string {
  return times === 0
    ? fields
    : `${fields} tenant { portCollection { edges { node { ${neighbours(times - 1, fields)} } } } }`
}

describe.each(readers)('$name: R3: answers', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    await sample.insert(
      'Tenant',
      ['big', ...tenants].map((id) => [id, id, null]),
    )
    const port = (id: string) => [id, id, `port ${id}`, 1, null, null, id.slice(0, id.indexOf('-'))]
    await sample.insert('Port', [...big, ...small].map(port))
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  async function limited(limits: Partial<ResponseLimits>, cost = 1e12): Promise<SchemaSnapshot> {
    const { dialect, driver } = sample.database
    return snapshotOf(await driver.read((connection) => dialect.introspect(connection)), dialect, {
      limits: { ...defaultOperationLimits, cost },
      responseLimits: { ...defaultResponseLimits, ...limits },
      naming: 'verbatim',
    })
  }
  const execute = (query: string, view: SchemaSnapshot): Promise<GraphqlResponse> =>
    executeGraphql({ query, variables: {} }, view, sample.database, {
      onFailure(error) {
        throw error
      },
    })
  const run = async (query: string, view = snapshot): Promise<Answered> =>
    JSON.parse(await answerText(await execute(query, view)))
  const tooLarge = (path: string, limit: string, allowed: number, sentence: string) => ({
    message: `${sentence} Ask for pages: first and after.`,
    locations: [{ line: 1, column: expect.any(Number) }],
    path: [path],
    extensions: { code: 'ANSWER_TOO_LARGE', limit, allowed },
  })
  const tooManyRows = (path: string, allowed: number) =>
    tooLarge(
      path,
      'rows',
      allowed,
      `The response has more than ${allowed.toLocaleString('en')} rows, which is the limit (graphql_max_rows, graphql_max_cost).`,
    )

  test('of few rows that would be millions when written are refused before any byte', async () => {
    const answer = await execute(
      `{ Port(tenantId: "big") { edges { node { ${neighbours(2)} } } } few: Port(first: 1) { edges { node { id } } } }`,
      snapshot,
    )
    expect(answer.kind).toBe('whole')
    expect(JSON.parse(await answerText(answer))).toEqual({
      data: { Port: null, few: { edges: edges(small.slice(0, 1)) } },
      errors: [tooManyRows('Port', 5_000_000)],
    })
  })

  test('of lists without a size have no more rows than those with one may ask for', async () => {
    const view = await limited({}, 100)
    expect(await run('{ Port(first: 101) { edges { node { id } } } }', view)).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'cost', allowed: 100, found: 101 } }],
    })
    expect(await run('{ Port(tenantId: "big") { edges { node { id } } } }', view)).toEqual({
      data: { Port: null },
      errors: [tooManyRows('Port', 100)],
    })
  })

  test('count the rows that are shown, as often as they are', async () => {
    const unseen =
      '{ Port(tenantId: "big") { edges { node { tenant { portCollection { pageInfo { endCursor } } } } } } }'
    expect(await run(unseen, await limited({ rows: 600 }))).not.toHaveProperty('errors')
    const twice = '{ Port(tenantId: "big") { edges { node { id } } again: edges { node { id } } } }'
    expect(await run(twice, await limited({ rows: 600 }))).not.toHaveProperty('errors')
    expect(await run(twice, await limited({ rows: 599 }))).toEqual({
      data: { Port: null },
      errors: [tooManyRows('Port', 599)],
    })
  })

  test('that are larger than a piece come whole, in pieces, and the same at every level', async () => {
    const answer = await execute(
      `{ Port(tenantId: "big") { edges { node { ${neighbours(1, 'id name')} } } totalCount } few: Port(first: 1) { edges { node { id } } } }`,
      snapshot,
    )
    if (answer.kind !== 'pieces') throw new Error('the answer came whole')
    const pieces: Buffer[] = []
    for await (const piece of answer.pieces) pieces.push(piece)
    expect(Math.max(...pieces.slice(1).map((piece) => piece.length))).toBeLessThan(200_000)
    const portCollection = { edges: big.map((id) => ({ node: { id, name: `port ${id}` } })) }
    const expected = {
      data: {
        Port: {
          edges: big.map((id) => ({ node: { id, name: `port ${id}`, tenant: { portCollection } } })),
          totalCount: portsOfOne,
        },
        few: { edges: edges(small.slice(0, 1)) },
      },
    }
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(expected))
  })

  test('end at the limit of bytes, well-formed, with an error', async () => {
    const bytes = 2_000_000
    const text = await answerText(
      await execute(
        `{ Port(tenantId: "big") { edges { node { ${neighbours(2)} } } pageInfo { hasNextPage endCursor } } few: Port(first: 1) { totalCount edges { node { id } } } }`,
        await limited({ bytes, rows: 1e9 }),
      ),
    )
    expect(text.length).toBeLessThan(bytes + 100_000)
    const { data, errors } = JSON.parse(text) as Answered
    const sentence = 'The response has more than 2,000,000 bytes, which is the limit (graphql_max_answer).'
    expect(errors).toEqual([
      tooLarge('Port', 'bytes', bytes, sentence),
      tooLarge('few', 'bytes', bytes, sentence),
    ])
    expect(data.Port?.edges).toHaveLength(1)
    expect(data.Port?.pageInfo).toMatchObject({ hasNextPage: true, endCursor: expect.any(String) })
    expect(data.few).toBeNull()
  })

  test('are null where the limit of bytes comes before the first piece', async () => {
    const bytes = 5000
    const answer = await run(
      '{ Port(first: 200) { edges { node { id name } } } few: Port(first: 1) { edges { node { id } } } }',
      await limited({ bytes }),
    )
    expect(answer).toEqual({
      data: { Port: null, few: { edges: edges(small.slice(0, 1)) } },
      errors: [
        tooLarge(
          'Port',
          'bytes',
          bytes,
          'The response has more than 5,000 bytes, which is the limit (graphql_max_answer).',
        ),
      ],
    })
  })

  test('of long lists end at the limit of rows, and can be gone on with', async () => {
    const view = await limited({ rows: 3000 })
    const page =
      'edges { cursor node { id name instance GlobalId tenant { id createdAt } } } pageInfo { hasNextPage endCursor }'
    const { data, errors } = await run(`{ Port { ${page} } }`, view)
    const all = [...small, ...big].sort()
    const ids = (answered: Answered) =>
      answered.data.Port?.edges.map((edge) => (edge as { node: { id: string } }).node.id) ?? []
    // Each port counts, and its tenant.
    expect(ids({ data })).toEqual(all)
    expect(errors).toBeUndefined()

    const cut = await run(`{ Port { ${page} } }`, await limited({ rows: 2500 }))
    expect(cut.errors).toEqual([tooManyRows('Port', 2500)])
    expect(ids(cut)).toEqual(all.slice(0, 1250))
    const { hasNextPage, endCursor } = (cut.data.Port?.pageInfo ?? {}) as Record<string, unknown>
    expect(hasNextPage).toBe(true)
    const rest = await run(`{ Port(after: "${endCursor}") { ${page} } }`, view)
    expect(ids(rest)).toEqual(all.slice(1250))
  })

  test('read what belongs to many rows in parts that can be held', async () => {
    const view = await limited({ heldRows: 400 })
    const query =
      '{ Tenant(filters: [{key: "id", op: "!=", val: "big"}]) { edges { node { id portCollection { edges { node { id tenant { id } } } pageInfo { hasNextPage } } } } pageInfo { hasNextPage hasPreviousPage } } }'
    const expected = {
      data: {
        Tenant: {
          edges: tenants.map((id) => ({
            node: {
              id,
              portCollection: {
                edges: idsOf(id, 150).map((port) => ({ node: { id: port, tenant: { id } } })),
                pageInfo: { hasNextPage: false },
              },
            },
          })),
          pageInfo: { hasNextPage: false, hasPreviousPage: false },
        },
      },
    }
    expect(await run(query, view)).toEqual(expected)
    // Known to be long from the time before.
    expect(await run(query, view)).toEqual(expected)
  })

  test('read the groups of many rows in parts that can be held', async () => {
    const query =
      '{ Tenant(filters: [{key: "id", op: "!=", val: "big"}]) { edges { node { id portCollection { groups(by: {field: id}) { keys { id } } aggregates { count } } } } } }'
    expect(await run(query, await limited({ heldRows: 400 }))).toEqual({
      data: {
        Tenant: {
          edges: tenants.map((id) => ({
            node: {
              id,
              portCollection: {
                groups: idsOf(id, 150).map((port) => ({ keys: { id: port } })),
                aggregates: { count: 150 },
              },
            },
          })),
        },
      },
    })
  })

  test.each([
    ['Tenant', '{ Tenant(id: "big") { edges { node { portCollection { edges { node { id } } } } } } }'],
    [
      'Tenant',
      '{ Tenant(id: "big") { edges { node { portCollection(first: 290) { edges { node { id } } } } } } }',
    ],
    ['Port', '{ Port(last: 1000) { edges { node { id } } } }'],
    ['Port', 'query ($n: Int = 1000) { Port(last: $n) { edges { node { id } } } }'],
    ['Port', '{ Port(limit: 1000, last: 999) { edges { node { id } } } }'],
    ['Port', '{ Port { groups(by: {field: id}) { count } } }'],
    ['Port', '{ Port { groups(by: {field: id}) { count } edges { node { id } } } }'],
    [
      'Tenant',
      '{ Tenant(id: "big") { edges { node { portCollection { groups(by: {field: id}) { count } } } } } }',
    ],
    [
      'node',
      `{ node(GlobalId: "${Buffer.from('Tenant_:big').toString('base64')}") { ... on Tenant_ { portCollection { edges { node { id } } } } } }`,
    ],
  ])('that cannot be held have an error at %s: %s', async (path, query) => {
    const allowed = 250
    expect(await run(query, await limited({ heldRows: allowed }))).toEqual({
      data: { [path]: null },
      errors: [
        tooLarge(
          path,
          'heldRows',
          allowed,
          'A part of the response needs more than 250 rows or groups, or 64 MB of them, in memory at once (graphql_max_held_rows).',
        ),
      ],
    })
  })

  describe('of a section of a list', () => {
    const all = [...small, ...big].sort()
    const fields = '{ edges { node { id } } pageInfo { hasNextPage hasPreviousPage } totalCount }'
    const cursorOf = async (index: number, view: SchemaSnapshot) => {
      const { data } = await run(`{ Port(offset: ${index}, limit: 1) { edges { cursor } } }`, view)
      const [edge] = data.Port?.edges ?? []
      return JSON.stringify((edge as { readonly cursor: string }).cursor)
    }

    test.each([
      ['offset: 0, first: 2, after: $tenth', [10, 12], true, true],
      ['offset: 3, limit: 1400, first: 2, after: $tenth', [10, 12], true, true],
      ['offset: 3, limit: 1400, first: 2, before: $tenth', [3, 5], true, false],
      ['limit: 1400, last: 2', [1398, 1400], false, true],
      ['offset: 3, limit: 1400, last: 2, after: $tenth', [1401, 1403], false, true],
      ['offset: 3, last: 2, before: $late', [1397, 1399], true, true],
      ['offset: 3, first: 4, last: 2, after: $tenth', [12, 14], true, true],
    ])('hold only the page: %s', async (page, [from, to], hasNextPage, hasPreviousPage) => {
      const view = await limited({ heldRows: 250 })
      const given = page
        .replace('$tenth', await cursorOf(9, view))
        .replace('$late', await cursorOf(1399, view))
      expect(await run(`{ Port(${given}) ${fields} }`, view)).toEqual({
        data: {
          Port: {
            edges: edges(all.slice(from, to)),
            pageInfo: { hasNextPage, hasPreviousPage },
            totalCount: all.length,
          },
        },
      })
    })

    test('come in pieces, if it is long', async () => {
      const view = await limited({ heldRows: 250 })
      const after = await cursorOf(9, view)
      const expected = (from: number, to: number, hasNextPage: boolean) => ({
        data: {
          Port: {
            edges: edges(all.slice(from, to)),
            pageInfo: { hasNextPage, hasPreviousPage: true },
            totalCount: all.length,
          },
        },
      })
      expect(await run(`{ Port(offset: 3, after: ${after}) ${fields} }`, view)).toEqual(
        expected(10, all.length, false),
      )
      expect(await run(`{ Port(offset: 3, first: 1200, after: ${after}) ${fields} }`, view)).toEqual(
        expected(10, 1210, true),
      )
      const late = await cursorOf(1399, view)
      expect(await run(`{ Port(offset: 3, after: ${after}, before: ${late}) ${fields} }`, view)).toEqual(
        expected(10, 1399, true),
      )
    })
  })

  test('keep no connection while clients take them slowly', async () => {
    const query = `{ Port(tenantId: "big") { edges { node { ${neighbours(1, 'id name')} } } } }`
    const open: AsyncIterator<Buffer>[] = []
    for (let number = 0; number < 12; number += 1) {
      const answer = await execute(query, snapshot)
      if (answer.kind !== 'pieces') throw new Error('the answer came whole')
      const pieces = answer.pieces[Symbol.asyncIterator]()
      open.push(pieces)
      expect((await pieces.next()).value?.toString()).toContain('"edges"')
    }
    expect(await run('{ Tenant { totalCount } }')).toEqual({ data: { Tenant: { totalCount: 9 } } })
    for (const pieces of open) await pieces.return?.()
  })
})
