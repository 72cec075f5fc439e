import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import {
  openSampleDatabase,
  portTable,
  runGraphql,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

describe.each(readers)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  const run = (query: string, variables: Record<string, unknown> = {}) =>
    runGraphql(sample, snapshot, query, variables)

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    const column = (name: string, type: string, nullable = true) => ({ name, type, nullable })
    const common = { uniqueKeys: [], indexes: [], foreignKeys: [] }
    await sample.create([
      tenantTable,
      portTable,
      {
        ...common,
        name: 'Sale',
        primaryKey: ['id'],
        columns: [
          column('id', 'string', false),
          column('shop', 'string'),
          column('amount', 'decimal'),
          column('pieces', 'bigInteger'),
          column('weight', 'float'),
          column('at', 'dateTime'),
          column('day', 'date'),
          column('true', 'integer'),
          column('count', 'integer'),
        ] as never,
      },
    ])
    await sample.insert('Tenant', [
      ['i1', 't1', '2020-01-01 00:00:00'],
      ['i2', 't2', '2020-01-02 03:04:05.123456'],
      ['i3', 't3', null],
    ])
    await sample.insert('Port', [
      ['p1', 'a', 'alpha', 1, 'Completed', '1.5', 't1'],
      ['p2', 'b', 'Alpha', 0, null, '-2', 't1'],
      ['p3', 'c', '100%_x', 1, 'Processing', '10', 't2'],
      ['p4', 'd', '日本', 0, 'Cancelled', null, null],
      ['p5', 'e', "O'Brien \\", 1, 'Completed', '9.75', 't2'],
    ])
    const big = '9223372036854775807'
    await sample.insert('Sale', [
      ['1', 'a', '0.1', BigInt(big), 0.5, '2024-01-31 23:59:59.999999', '2024-01-31', 1, 7],
      ['2', 'A', '0.2', BigInt(big), 1.25, '2024-02-01 00:00:00', '2024-02-01', 1, 7],
      ['3', 'a ', '12345678901234567890.000000001', -5, null, '2024-02-01 00:30:00', '2024-02-01', 2, 8],
      ['4', 'a', null, null, 4, '2025-02-01 00:30:00.5', '2025-12-31', null, null],
      ['5', null, '-1', 1, null, null, null, null, 8],
    ])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test('aggregates of all rows', async () => {
    expect(
      await run(`{ Sale { aggregates {
        count all: count withShop: count(field: shop) countDistinct { shop pieces at true count }
        sum { amount pieces weight count } avg { amount pieces weight count }
        min { id shop amount pieces weight at day } max { id shop amount pieces weight at day }
      } } }`),
    ).toEqual({
      data: {
        Sale: {
          aggregates: {
            count: 5,
            all: 5,
            withShop: 4,
            countDistinct: { shop: 3, pieces: 3, at: 4, true: 2, count: 2 },
            sum: {
              amount: '12345678901234567889.300000001',
              pieces: '18446744073709551610',
              weight: 5.75,
              count: 30,
            },
            avg: {
              amount: 12345678901234567889.300000001 / 4,
              pieces: 18446744073709551610 / 4,
              weight: 5.75 / 3,
              count: 7.5,
            },
            min: {
              id: '1',
              shop: 'A',
              amount: '-1',
              pieces: -5,
              weight: 0.5,
              at: '2024-01-31T23:59:59.999999',
              day: '2024-01-31',
            },
            max: {
              id: '5',
              shop: 'a ',
              amount: '12345678901234567890.000000001',
              pieces: big(),
              weight: 4,
              at: '2025-02-01T00:30:00.5',
              day: '2025-12-31',
            },
          },
        },
      },
    })
  })

  test('groups', async () => {
    expect(
      await run(`{ Sale { groups(by: [{field: shop}]) { keys { shop } count sum { amount } max { at } } } }`),
    ).toEqual({
      data: {
        Sale: {
          groups: [
            { keys: { shop: null }, count: 1, sum: { amount: '-1' }, max: { at: null } },
            { keys: { shop: 'A' }, count: 1, sum: { amount: '0.2' }, max: { at: '2024-02-01T00:00:00' } },
            { keys: { shop: 'a' }, count: 2, sum: { amount: '0.1' }, max: { at: '2025-02-01T00:30:00.5' } },
            {
              keys: { shop: 'a ' },
              count: 1,
              sum: { amount: '12345678901234567890.000000001' },
              max: { at: '2024-02-01T00:30:00' },
            },
          ],
        },
      },
    })
  })

  test.each([
    [
      '{field: at, every: HOUR}',
      [
        [null, 1],
        ['2024-01-31T23:00:00', 1],
        ['2024-02-01T00:00:00', 2],
        ['2025-02-01T00:00:00', 1],
      ],
    ],
    [
      '{field: at, every: DAY}',
      [
        [null, 1],
        ['2024-01-31T00:00:00', 1],
        ['2024-02-01T00:00:00', 2],
        ['2025-02-01T00:00:00', 1],
      ],
    ],
    [
      '{field: at, every: MONTH}',
      [
        [null, 1],
        ['2024-01-01T00:00:00', 1],
        ['2024-02-01T00:00:00', 2],
        ['2025-02-01T00:00:00', 1],
      ],
    ],
    [
      '{field: at, every: YEAR}',
      [
        [null, 1],
        ['2024-01-01T00:00:00', 3],
        ['2025-01-01T00:00:00', 1],
      ],
    ],
    [
      '{field: day, every: DAY}',
      [
        [null, 1],
        ['2024-01-31', 1],
        ['2024-02-01', 2],
        ['2025-12-31', 1],
      ],
    ],
    [
      '{field: day, every: MONTH}',
      [
        [null, 1],
        ['2024-01-01', 1],
        ['2024-02-01', 2],
        ['2025-12-01', 1],
      ],
    ],
    [
      '{field: day, every: YEAR}',
      [
        [null, 1],
        ['2024-01-01', 3],
        ['2025-01-01', 1],
      ],
    ],
  ])('groups by time: %s', async (by, expected) => {
    const field = by.includes('at') ? 'at' : 'day'
    expect(await run(`{ Sale { groups(by: [${by}]) { keys { ${field} } count } } }`)).toEqual({
      data: { Sale: { groups: expected.map(([value, count]) => ({ keys: { [field]: value }, count })) } },
    })
  })

  test('collections', async () => {
    expect(
      await run(`{ Tenant { edges { node { id portCollection(where: {name: {ne: "alpha"}}) {
        totalCount
        aggregates { count sum { rate isActivated } }
        groups(by: [{field: operationStatus}], having: {count: {gte: 1}}) { count keys { operationStatus } }
      } } } } }`),
    ).toEqual({
      data: {
        Tenant: {
          edges: [
            {
              node: {
                id: 't1',
                portCollection: {
                  totalCount: 1,
                  aggregates: { count: 1, sum: { rate: '-2', isActivated: 0 } },
                  groups: [{ count: 1, keys: { operationStatus: null } }],
                },
              },
            },
            {
              node: {
                id: 't2',
                portCollection: {
                  totalCount: 2,
                  aggregates: { count: 2, sum: { rate: '19.75', isActivated: 2 } },
                  groups: [
                    { count: 1, keys: { operationStatus: 'Completed' } },
                    { count: 1, keys: { operationStatus: 'Processing' } },
                  ],
                },
              },
            },
            {
              node: {
                id: 't3',
                portCollection: {
                  totalCount: 0,
                  aggregates: { count: 0, sum: { rate: null, isActivated: null } },
                  groups: [],
                },
              },
            },
          ],
        },
      },
    })
  })
})

const big = () => '9223372036854775807'
