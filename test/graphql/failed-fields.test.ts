/** A field that fails is null itself, with its own path: https://spec.graphql.org/October2021/#sec-Handling-Field-Errors */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Driver } from '../../src/database/driver.ts'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import {
  answerText,
  openSampleDatabase,
  portTable,
  runGraphql,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

describe.each(readers)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    await sample.insert(
      'Tenant',
      Array.from({ length: 30 }, (_, index) => [`i${10 + index}`, `t${10 + index}`, null]),
    )
    await sample.insert('Port', [
      ['p1', 'a', 'alpha', 1, 'Completed', '1.5', 't10'],
      ['p2', 'b', 'beta', 0, null, '2', 't10'],
      ['p3', 'c', 'gamma', 1, null, null, null],
    ])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  const run = (query: string, variables: Record<string, unknown> = {}) =>
    runGraphql(sample, snapshot, query, variables)
  const unknown = 'asc names the unknown field "nope".'
  const invalid = { code: 'PARAMETER_INVALID' }

  test('a collection with a wrong argument, in each row', async () => {
    expect(
      await run('{ Tenant(first: 2) { edges { node { id portCollection(asc: "nope") { totalCount } } } } }'),
    ).toEqual({
      data: {
        Tenant: {
          edges: [
            { node: { id: 't10', portCollection: null } },
            { node: { id: 't11', portCollection: null } },
          ],
        },
      },
      errors: [0, 1].map((index) => ({
        message: unknown,
        locations: [{ line: 1, column: 40 }],
        path: ['Tenant', 'edges', index, 'node', 'portCollection'],
        extensions: invalid,
      })),
    })
  })

  test('a value that is found to be wrong when statements are made', async () => {
    const query = `query ($n: Int, $v: GenericScalar) {
      all: Tenant(first: 1) { rows: edges { row: node {
        first: portCollection(first: $n) { totalCount edges { node { id } } }
        second: portCollection(isActivated: $v) { totalCount }
        third: portCollection { totalCount }
      } } }
    }`
    expect(await run(query, { n: -1, v: 'no number' })).toEqual({
      data: { all: { rows: [{ row: { first: null, second: null, third: { totalCount: 2 } } }] } },
      errors: [
        expect.objectContaining({ path: ['all', 'rows', 0, 'row', 'first'], extensions: invalid }),
        expect.objectContaining({ path: ['all', 'rows', 0, 'row', 'second'], extensions: invalid }),
      ],
    })
  })

  test('lists in lists, references and rows by their ids', async () => {
    const query = `query ($filters: GenericScalar) {
      Port(desc: "id") { edges { node { id tenant { id portCollection {
        edges { node { tenant { bad: portCollection(filters: $filters) { totalCount } } } }
      } } } } }
    }`
    const answer = await run(query, { filters: [{ key: 'nope', op: '==', val: 1 }] })
    const bad = { node: { tenant: { bad: null } } }
    const tenant = { id: 't10', portCollection: { edges: [bad, bad] } }
    const path = (port: number, below: number) => [
      ...['Port', 'edges', port, 'node', 'tenant', 'portCollection', 'edges', below],
      ...['node', 'tenant', 'bad'],
    ]
    expect(answer).toEqual({
      data: {
        Port: {
          edges: [
            { node: { id: 'c', tenant: null } },
            { node: { id: 'b', tenant } },
            { node: { id: 'a', tenant } },
          ],
        },
      },
      errors: [path(1, 0), path(1, 1), path(2, 0), path(2, 1)].map((each) =>
        expect.objectContaining({ path: each, extensions: invalid }),
      ),
    })
  })

  test('a list and its page information around it', async () => {
    const query = `{ Tenant(first: 1) { totalCount edges { cursor node { portCollection(limit: -1) { totalCount } } } pageInfo { hasNextPage } } }`
    expect(await run(query)).toMatchObject({
      data: {
        Tenant: {
          totalCount: 30,
          edges: [{ cursor: expect.any(String), node: { portCollection: null } }],
          pageInfo: { hasNextPage: true },
        },
      },
      errors: [{ path: ['Tenant', 'edges', 0, 'node', 'portCollection'] }],
    })
  })

  test('of many rows the first ones have an entry, and the last entry says how many more there are', async () => {
    const query = '{ Tenant { edges { node { portCollection(desc: "nope") { totalCount } } } } }'
    const { data, errors } = (await run(query)) as {
      data: { Tenant: { edges: unknown[] } }
      errors: { path: unknown[]; extensions: object }[]
    }
    expect(data.Tenant.edges).toEqual(Array(30).fill({ node: { portCollection: null } }))
    expect(errors.map(({ path }) => path[2])).toEqual(Array.from({ length: 20 }, (_, index) => index))
    expect(errors.map(({ extensions }) => extensions)).toEqual([
      ...Array(19).fill(invalid),
      { ...invalid, more: 10 },
    ])
  })

  test('no row, no error; and a field that is not there does not fail', async () => {
    expect(
      await run('{ Tenant(id: "none") { edges { node { portCollection(asc: "nope") { totalCount } } } } }'),
    ).toEqual({ data: { Tenant: { edges: [] } } })
  })

  test('other root fields have their data', async () => {
    expect(
      await run(
        '{ a: Tenant(asc: "nope") { totalCount } b: Tenant(first: 1) { edges { node { portCollection(asc: "nope") { totalCount } } } } c: Port { totalCount } }',
      ),
    ).toMatchObject({
      data: { a: null, b: { edges: [{ node: { portCollection: null } }] }, c: { totalCount: 3 } },
      errors: [{ path: ['a'] }, { path: ['b', 'edges', 0, 'node', 'portCollection'] }],
    })
  })

  test('a row of a list that is read in pieces has its place in the whole list', async () => {
    await sample.insert(
      'Port',
      Array.from({ length: 1200 }, (_, index) => {
        const id = `q${10_000 + index}`
        return [id, id, 'many', 1, null, null, index === 1150 ? 't11' : null]
      }),
    )
    const query =
      '{ Port(name: "many") { edges { node { tenant { id portCollection(first: -1) { totalCount } } } } } }'
    const { data, errors } = (await run(query)) as {
      data: { Port: { edges: readonly unknown[] } }
      errors: unknown
    }
    expect(data.Port.edges.length).toBe(1200)
    expect(data.Port.edges[1150]).toEqual({ node: { tenant: { id: 't11', portCollection: null } } })
    expect(errors).toEqual([
      expect.objectContaining({ path: ['Port', 'edges', 1150, 'node', 'tenant', 'portCollection'] }),
    ])
  })

  test('a statement that fails, among others', async () => {
    const other = await openSampleDatabase(product)
    await other.create([tenantTable, portTable, { ...portTable, name: 'Plug' }])
    await other.insert('Tenant', [
      ['i1', 't1', null],
      ['i2', 't2', null],
    ])
    await other.insert('Plug', [['p1', 'a', 'alpha', 1, null, null, 't1']])
    const before = await other.snapshot()
    await other.execute([`drop table ${other.database.dialect.syntax.quoteIdentifier('Port')}`])
    const query = `{
      Tenant(id: "t1") { edges { node { plugCollection { totalCount } portCollection { totalCount } id } } }
      last: Plug { edges { node { tenant { id portCollection { edges { node { id } } } } } } }
    }`
    const failed = (...path: readonly unknown[]) =>
      expect.objectContaining({ path, extensions: { code: 'DATABASE_UNAVAILABLE', requestId: 'r1' } })
    const failures: unknown[] = []
    const answer = await executeGraphql({ query, variables: {} }, before, other.database, {
      requestId: 'r1',
      onFailure: (error) => failures.push(error),
    })
    expect(JSON.parse(await answerText(answer))).toEqual({
      data: {
        Tenant: { edges: [{ node: { plugCollection: { totalCount: 1 }, portCollection: null, id: 't1' } }] },
        last: { edges: [{ node: { tenant: { id: 't1', portCollection: null } } }] },
      },
      errors: [
        failed('Tenant', 'edges', 0, 'node', 'portCollection'),
        failed('last', 'edges', 0, 'node', 'tenant', 'portCollection'),
      ],
    })
    expect(failures.length).toBe(2)
    await other.close()
  })

  test.runIf(product.name.startsWith('PostgreSQL'))(
    'a query that the database rolls back for a change of tables is run again',
    async () => {
      const { dialect, driver } = sample.database
      // A read that shares its transaction with others is taken out of it when it waits.
      const alone: Driver = {
        ...driver,
        read: (work, { batchKey: _, ...own } = {}) => driver.read(work, own),
      }
      const query = '{ Tenant(first: 1) { edges { node { id } } } Port(first: 1) { edges { node { id } } } }'
      const ask = async () =>
        answerText(
          await executeGraphql(
            { query, variables: {} },
            snapshot,
            { dialect, driver: alone },
            { beginsAgain: true, onFailure: (error) => failures.push(error) },
          ),
        )
      const failures: unknown[] = []
      const answers: Promise<string>[] = []
      await driver.transaction(async (connection) => {
        const lock = (table: string) =>
          connection.execute({ sql: `lock table "${table}" in access exclusive mode`, parameters: [] })
        await lock('Port')
        answers.push(ask())
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await vi.waitFor(async () => {
          const found = driver.read((other) => other.query({ sql: waiting, parameters: [] }))
          expect(await found).toHaveLength(1)
        }, 60_000)
        await lock('Tenant')
      })
      for (const answer of await Promise.all(answers)) {
        expect(JSON.parse(answer)).toEqual({
          data: {
            Tenant: { edges: [{ node: { id: 't10' } }] },
            Port: { edges: [{ node: { id: 'a' } }] },
          },
        })
      }
      expect(failures).toEqual([])
    },
  )
})
