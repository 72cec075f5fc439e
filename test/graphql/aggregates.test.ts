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
              amount: Number('12345678901234567889.300000001') / 4,
              pieces: Number('18446744073709551610') / 4,
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
              pieces: '9223372036854775807',
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

  test.each([
    ['{count: {gte: 2}}', ['a']],
    ['{count: {between: [1, 1]}}', [null, 'A', 'a ']],
    ['{sum: {amount: {eq: "12345678901234567890.000000001"}}}', ['a ']],
    ['{sum: {amount: {lt: "12345678901234567890.000000001"}}}', [null, 'A', 'a']],
    ['{sum: {pieces: {gt: "9223372036854775806"}}}', ['A', 'a']],
    ['{sum: {pieces: {in: [1, -5]}}}', [null, 'a ']],
    ['{sum: {weight: {isNull: true}}}', [null, 'a ']],
    ['{avg: {weight: {eq: 2.25}}}', ['a']],
    ['{countDistinct: {count: {eq: 1}}, min: {day: {gte: "2024-02-01"}}}', ['A', 'a ']],
    ['{max: {at: {lt: "2024-02-01T00:30:00.5"}}}', ['A', 'a ']],
    ['{min: {shop: {startsWith: "a"}}}', ['a', 'a ']],
    ['{min: {shop: {iequals: "A"}}}', ['A', 'a']],
    ['{or: [{count: {gt: 1}}, {sum: {amount: {lt: "0"}}}]}', [null, 'a']],
    ['{not: {sum: {weight: {gt: 1}}}}', [null, 'a ']],
    ['{and: [{count: {gt: 0}}, {count: {lt: 2}}], not: {min: {pieces: {lt: 0}}}}', [null, 'A']],
    ['{}', [null, 'A', 'a', 'a ']],
    ['{count: {}, sum: {}}', [null, 'A', 'a', 'a ']],
    ['{sum: {amount: {gt: null}}}', []],
    ['{sum: null}', [null, 'A', 'a', 'a ']],
  ])('having: %s', async (having, shops) => {
    const expected = { data: { Sale: { groups: shops.map((shop) => ({ keys: { shop } })) } } }
    const groups = (given: string) => `Sale { groups(by: {field: shop}, having: ${given}) { keys { shop } } }`
    expect(await run(`{ ${groups(having)} }`)).toEqual(expected)
    const json: unknown = JSON.parse(
      having.replace(/(\w+):/g, (all, name) => (/^\d/.test(name) ? all : `"${name}":`)),
    )
    expect(await run(`query ($having: Sale_Having) { ${groups('$having')} }`, { having: json })).toEqual(
      expected,
    )
  })

  test.each([
    ['{count: DESC}', ['a', null, 'A', 'a ']],
    ['[]', [null, 'A', 'a', 'a ']],
    ['{sum: {amount: DESC}}', ['a ', 'A', 'a', null]],
    // Equal values, here of more than 64 bits together, stay in the order of the keys.
    ['{sum: {pieces: DESC}}', ['A', 'a', null, 'a ']],
    ['[{countDistinct: {true: ASC}}, {keys: {shop: DESC}}]', [null, 'a ', 'a', 'A']],
    ['{max: {at: ASC}}', [null, 'A', 'a ', 'a']],
    ['{min: {shop: DESC}}', ['a ', 'a', 'A', null]],
    // Without a value is lowest.
    ['{avg: {weight: DESC}}', ['a', 'A', null, 'a ']],
    ['{keys: {shop: DESC}}', ['a ', 'a', 'A', null]],
    ['[{keys: {shop: DESC}}, {keys: {shop: ASC}}]', ['a ', 'a', 'A', null]],
  ])('groups in the order %s', async (orderBy, shops) => {
    const expected = (some: readonly unknown[]) => ({
      data: { Sale: { groups: some.map((shop) => ({ keys: { shop } })) } },
    })
    const groups = (given: string) => `Sale { groups(by: {field: shop}, ${given}) { keys { shop } } }`
    expect(await run(`{ ${groups(`orderBy: ${orderBy}`)} }`)).toEqual(expected(shops))
    expect(await run(`{ ${groups(`orderBy: ${orderBy}, offset: 1, limit: 2`)} }`)).toEqual(
      expected(shops.slice(1, 3)),
    )
    const query = `query ($orderBy: [Sale_GroupOrderBy!], $offset: Int, $limit: Int) { ${groups('orderBy: $orderBy, offset: $offset, limit: $limit')} }`
    const json: unknown = JSON.parse(orderBy.replace(/(\w+):/g, '"$1":').replace(/(ASC|DESC)/g, '"$1"'))
    expect(await run(query, { orderBy: json })).toEqual(expected(shops))
    expect(await run(query, { orderBy: json, offset: 2 })).toEqual(expected(shops.slice(2)))
    expect(await run(query, { orderBy: json, limit: 3 })).toEqual(expected(shops.slice(0, 3)))
    expect(await run(query, { orderBy: json, offset: null, limit: 0 })).toEqual(expected([]))
  })

  test('groups of collections in an order, a part of each', async () => {
    const tenants = (...all: readonly (readonly [string, ...(readonly string[])])[]) => ({
      data: {
        Tenant: {
          edges: all.map(([id, ...names]) => ({
            node: { id, portCollection: { groups: names.map((name) => ({ keys: { name } })) } },
          })),
        },
      },
    })
    const query = `query ($offset: Int, $limit: Int) { Tenant { edges { node { id portCollection {
      groups(by: {field: name}, having: {count: {gt: 0}}, orderBy: {max: {rate: DESC}}, offset: $offset, limit: $limit) { keys { name } }
    } } } } }`
    const [first, second] = [
      ['alpha', 'Alpha'],
      ['100%_x', "O'Brien \\"],
    ] as const
    expect(await run(query)).toEqual(tenants(['t1', ...first], ['t2', ...second], ['t3']))
    expect(await run(query, { limit: 1 })).toEqual(tenants(['t1', first[0]], ['t2', second[0]], ['t3']))
    expect(await run(query, { offset: 1 })).toEqual(tenants(['t1', first[1]], ['t2', second[1]], ['t3']))
    expect(await run(query, { offset: 1, limit: 5 })).toEqual(
      tenants(['t1', first[1]], ['t2', second[1]], ['t3']),
    )
    expect(await run(query, { limit: 0 })).toEqual(tenants(['t1'], ['t2'], ['t3']))
    expect(
      await run(query.replace('$limit: Int', '').replace('limit: $limit', 'limit: 1'), { offset: 0 }),
    ).toEqual(tenants(['t1', first[0]], ['t2', second[0]], ['t3']))
  })

  test('groups by several fields, by variables', async () => {
    const query =
      'query ($by: [Sale_GroupBy!]!) { Sale(where: {shop: {ne: null}}) { groups(by: $by) { keys { at true } count } } }'
    const groups = (...all: readonly (readonly [number | null, string, number])[]) => ({
      data: { Sale: { groups: all.map(([value, at, count]) => ({ keys: { at, true: value }, count })) } },
    })
    expect(await run(query, { by: [{ field: 'true_' }, { field: 'at', every: 'YEAR' }] })).toEqual(
      groups([null, '2025-01-01T00:00:00', 1], [1, '2024-01-01T00:00:00', 2], [2, '2024-01-01T00:00:00', 1]),
    )
    expect(await run(query, { by: [{ field: 'at', every: 'YEAR' }, { field: 'true_' }] })).toEqual(
      groups([1, '2024-01-01T00:00:00', 2], [2, '2024-01-01T00:00:00', 1], [null, '2025-01-01T00:00:00', 1]),
    )
  })

  test('pages, offset and limit change nothing', async () => {
    const all = { aggregates: { count: 3, max: { id: '3' } }, groups: [{ count: 1 }, { count: 2 }] }
    const select = 'aggregates { count max { id } } groups(by: {field: day}) { count }'
    expect(
      await run(
        `{ a: Sale(id: ["1", "2", "3"], first: 1, desc: "id") { edges { node { id } } ${select} } b: Sale(id: ["1", "2", "3"], offset: 2, limit: 0) { ${select} } }`,
      ),
    ).toEqual({ data: { a: { edges: [{ node: { id: '3' } }], ...all }, b: all } })
  })

  test('one statement for each selected aggregate, whatever the rows', async () => {
    sample.statements()
    await run(
      '{ Tenant { edges { node { portCollection { a: aggregates { count } b: aggregates { sum { rate } } groups(by: {field: name}) { count } } } } } }',
    )
    expect(sample.statements()).toHaveLength(3)
    await run('{ Tenant { edges { node { portCollection { edges { node { id } } } } } } }')
    expect(sample.statements()).toHaveLength(2)
    await run('{ Port { aggregates { count } } }')
    expect(sample.statements()).toHaveLength(1)
  })

  test.each([
    ['groups(by: []) { count }', 'by takes at least one field, such as [{field: name}].'],
    ['groups(by: [{field: at}, {field: at, every: DAY}]) { count }', 'by[1] groups by "at" a second time.'],
    [
      'groups(by: {field: shop, every: DAY}) { count }',
      'by.every is for dates and times, and "shop" is none.',
    ],
    [
      'groups(by: {field: day, every: HOUR}) { count }',
      'by.every takes DAY, MONTH or YEAR: "day" has days without a time.',
    ],
    [
      'groups(by: {field: shop}) { keys { day } }',
      'keys: "day" is not among the fields of "by", so the rows of a group may differ in it.',
    ],
    [
      'groups(by: {field: shop}, having: {sum: {pieces: {gt: "x"}}}) { count }',
      'having.sum.pieces.gt: "sum_1" takes a decimal number, not "x".',
    ],
    [
      'groups(by: {field: shop}, having: {max: {at: {gt: "x"}}}) { count }',
      'having.max.at.gt: "max_1" takes a date and time such as "2026-01-31T09:30:00", not "x".',
    ],
    [
      'groups(by: {field: shop}, orderBy: [{count: ASC}, {count: ASC, sum: {pieces: ASC}}]) { count }',
      'orderBy[1] takes one field; a list has one object for each.',
    ],
    [
      'groups(by: {field: shop}, orderBy: {sum: {}}) { count }',
      'orderBy.sum takes one field; a list has one object for each.',
    ],
    [
      'groups(by: {field: shop}, orderBy: {sum: null}) { count }',
      'orderBy.sum takes ASC or DESC for a field, such as {name: ASC}.',
    ],
    [
      'groups(by: {field: shop}, orderBy: {keys: {day: ASC}}) { count }',
      'orderBy.keys.day is not among the fields of "by".',
    ],
    [
      `groups(by: {field: shop}, orderBy: [${'{count: ASC},'.repeat(21)}]) { count }`,
      'orderBy takes 20 values at most, not 21.',
    ],
    ['groups(by: {field: shop}, limit: -1) { count }', 'limit takes a whole number from 0 up, not -1.'],
    ['groups(by: {field: shop}, offset: -1) { count }', 'offset takes a whole number from 0 up, not -1.'],
  ])('refuses %s', async (groups, message) => {
    expect(await run(`{ Sale { ${groups} totalCount } Tenant { totalCount } }`)).toEqual({
      data: { Sale: { groups: null, totalCount: 5 }, Tenant: { totalCount: 3 } },
      errors: [
        {
          message,
          path: ['Sale', 'groups'],
          locations: [{ line: 1, column: 10 }],
          extensions: { code: 'PARAMETER_INVALID' },
        },
      ],
    })
  })

  test('a failure in a collection has its own path, in each row', async () => {
    const query =
      'query ($rate: String) { Tenant(first: 2) { edges { node { id portCollection { totalCount groups(by: {field: name}, having: {max: {rate: {gt: $rate}}}) { count } } } } } }'
    expect(await run(query, { rate: 'much' })).toEqual({
      data: {
        Tenant: {
          edges: ['t1', 't2'].map((id) => ({
            node: { id, portCollection: { totalCount: 2, groups: null } },
          })),
        },
      },
      errors: [0, 1].map((index) => ({
        message: 'having.max.rate.gt: "max_1" takes a decimal number, not "much".',
        path: ['Tenant', 'edges', index, 'node', 'portCollection', 'groups'],
        locations: [{ line: 1, column: 90 }],
        extensions: { code: 'PARAMETER_INVALID' },
      })),
    })
  })

  test.each([
    ['aggregates { sum { shop } }', 'Cannot query field "shop" on type "Sale_Sums".'],
    ['aggregates { avg { at } }', 'Cannot query field "at" on type "Sale_Averages".'],
    ['groups(by: {field: nope}) { count }', 'Value "nope" does not exist in "Sale_Field" enum.'],
    ['groups(by: {field: at, every: WEEK}) { count }', 'Value "WEEK" does not exist in "TimeUnit" enum.'],
    [
      'groups { count }',
      'Field "groups" argument "by" of type "[Sale_GroupBy!]!" is required, but it was not provided.',
    ],
    [
      'groups(by: {field: shop}, having: {sum: {shop: {gt: 1}}}) { count }',
      'Field "shop" is not defined by type "Sale_SumsHaving".',
    ],
    [
      'groups(by: {field: shop}, orderBy: {sum: {shop: ASC}}) { count }',
      'Field "shop" is not defined by type "Sale_NumbersOrderBy".',
    ],
  ])('does not know %s', async (selection, message) => {
    expect(await run(`{ Sale { ${selection} } }`)).toMatchObject({
      errors: [{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    })
  })
})
