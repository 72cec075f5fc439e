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

  /** The ids that a list shows, or the messages of its errors. */
  async function ids(list: string, variables: Record<string, unknown> = {}, definitions = '') {
    const answer = (await run(
      `query ${definitions} { rows: ${list} { edges { node { id } } } }`,
      variables,
    )) as {
      data?: { rows: { edges: { node: { id: string } }[] } | null }
      errors?: { message: string }[]
    }
    return answer.data?.rows?.edges.map(({ node }) => node.id) ?? answer.errors?.map(({ message }) => message)
  }

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    const text = { type: 'string', nullable: true } as const
    const common = { uniqueKeys: [], indexes: [], foreignKeys: [] }
    await sample.create([
      tenantTable,
      portTable,
      {
        ...common,
        name: 'Odd',
        primaryKey: ['id'],
        columns: ['id', 'and', 'or_', 'or', 'not', 'where', 'orderBy', 'orderBy_'].map((name) => ({
          ...text,
          name,
          nullable: name !== 'id',
        })),
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
    await sample.insert('Odd', [
      ['1', 'x', 'y', 'z', 'n', 'w', 'o', 'p'],
      ['2', null, null, null, null, null, null, null],
    ])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test.each([
    ['{}', ['a', 'b', 'c', 'd', 'e']],
    ['{name: {}}', ['a', 'b', 'c', 'd', 'e']],
    ['{name: {eq: "alpha"}}', ['a']],
    ['{name: {ne: "alpha"}, isActivated: {eq: 0}}', ['b', 'd']],
    ['{name: {startsWith: "a", endsWith: "a"}}', ['a']],
    ['{name: {iequals: "ALPHA"}}', ['a', 'b']],
    ['{name: {istartsWith: "AL"}}', ['a', 'b']],
    ['{name: {iendsWith: "PHA"}}', ['a', 'b']],
    ['{name: {icontains: "O\'b"}}', ['e']],
    ['{name: {contains: "%"}}', ['c']],
    ['{isActivated: {lt: 1}}', ['b', 'd']],
    ['{isActivated: {gt: 0}}', ['a', 'c', 'e']],
    ['{rate: {between: ["1.5", "9.75"]}}', ['a', 'e']],
    ['{rate: {isNull: true}}', ['d']],
    ['{rate: {isNull: false}}', ['a', 'b', 'c', 'e']],
    ['{rate: {lte: null}}', []],
    ['{operationStatus: {eq: null}}', ['b']],
    ['{operationStatus: {ne: null}}', ['a', 'c', 'd', 'e']],
    ['{operationStatus: {in: ["Completed", null]}}', ['a', 'e']],
    ['{or: [{operationStatus: {in: ["Completed"]}}, {operationStatus: {isNull: true}}]}', ['a', 'b', 'e']],
    ['{operationStatus: {notIn: ["Completed", null]}}', []],
    ['{operationStatus: {notIn: ["Completed"]}}', ['c', 'd']],
    ['{operationStatus: {ne: "Completed"}}', ['c', 'd']],
    // What does not meet a condition includes rows without a value.
    ['{not: {operationStatus: {eq: "Completed"}}}', ['b', 'c', 'd']],
    ['{not: {operationStatus: {notIn: ["Completed"]}}}', ['a', 'b', 'e']],
    ['{not: {not: {operationStatus: {eq: "Completed"}}}}', ['a', 'e']],
    ['{not: {}}', []],
    ['{or: []}', []],
    ['{and: []}', ['a', 'b', 'c', 'd', 'e']],
    ['{or: [{id: {eq: "a"}}, {id: {eq: "d"}}], isActivated: {eq: 1}}', ['a']],
    ['{or: [{}, {id: {eq: "d"}}]}', ['a', 'b', 'c', 'd', 'e']],
    ['{or: {id: {eq: "d"}}}', ['d']],
    ['{tenant: {id: {eq: "t2"}}}', ['c', 'e']],
    ['{tenant: {}}', ['a', 'b', 'c', 'e']],
    ['{not: {tenant: {}}}', ['d']],
    ['{tenant: {portCollection: {some: {name: {eq: "alpha"}}}}}', ['a', 'b']],
    ['{tenant: {portCollection: {none: {name: {eq: "alpha"}}}}}', ['c', 'e']],
    ['{tenant: {portCollection: {every: {isActivated: {eq: 1}}}}}', ['c', 'e']],
    [`{GlobalId: {eq: "${btoa('Port_:p3')}"}}`, ['c']],
    [`{GlobalId: {in: ["${btoa('Port_:p3')}", "${btoa('Port_:p1')}"]}}`, ['a', 'c']],
  ])('where: %s', async (where, expected) => {
    expect(await ids(`Port(where: ${where})`)).toEqual(expected)
    const json: unknown = JSON.parse(
      where.replace(/(\w+):/g, (all, name) => (all === 'Port_:' ? all : `"${name}":`)),
    )
    expect(await ids('Port(where: $where)', { where: json }, '($where: Port_Where)')).toEqual(expected)
  })

  test('is combined with the other arguments, on collections too', async () => {
    expect(await ids('Port(id: ["a", "b"], where: {isActivated: {eq: 0}})')).toEqual(['b'])
    expect(
      await ids('Port(filters: [{key: "tenantId", op: "==", val: "t2"}], where: {name: {contains: "x"}})'),
    ).toEqual(['c'])
    const query = `query ($least: String) {
      Tenant(where: {portCollection: {some: {}}}, orderBy: {id: DESC}) {
        edges { node { id portCollection(where: {rate: {gte: $least}}, orderBy: {rate: DESC}) { totalCount edges { node { id } } } } }
      }
    }`
    const tenants = (least: string | undefined, ...all: readonly (readonly string[])[]) =>
      expect(run(query, least === undefined ? {} : { least })).resolves.toEqual({
        data: {
          Tenant: {
            edges: all.map(([id, ...ports]) => ({
              node: {
                id,
                portCollection: {
                  totalCount: ports.length,
                  edges: ports.map((port) => ({ node: { id: port } })),
                },
              },
            })),
          },
        },
      })
    await tenants('1.5', ['t2', 'c', 'e'], ['t1', 'a'])
    await tenants('9.8', ['t2', 'c'], ['t1'])
    // An operator whose variable is not given is not there.
    await tenants(undefined, ['t2', 'c', 'e'], ['t1', 'a', 'b'])
  })

  test.each([
    ['[{isActivated: DESC}, {name: ASC}]', ['c', 'e', 'a', 'b', 'd']],
    ['{rate: ASC}', ['d', 'b', 'a', 'e', 'c']],
    ['[{tenant: {createdAt: DESC}}, {id: DESC}]', ['e', 'c', 'b', 'a', 'd']],
    ['[{tenantId: ASC}, {tenant: {id: DESC}}, {rate: DESC}]', ['d', 'a', 'b', 'c', 'e']],
  ])('orderBy: %s', async (orderBy, expected) => {
    expect(await ids(`Port(orderBy: ${orderBy})`)).toEqual(expected)
    const json: unknown = JSON.parse(orderBy.replace(/(\w+):/g, '"$1":').replace(/\b(ASC|DESC)\b/g, '"$1"'))
    expect(await ids('Port(orderBy: $order)', { order: json }, '($order: [Port_OrderBy!])')).toEqual(expected)
  })

  test('comes before asc and desc, and cursors continue it', async () => {
    expect(await ids('Port(orderBy: {isActivated: ASC}, desc: "id")')).toEqual(['d', 'b', 'e', 'c', 'a'])
    const page = async (list: string) =>
      (await run(`{ Port(${list}) { pageInfo { endCursor } edges { node { id } } } }`)) as {
        data: { Port: { pageInfo: { endCursor: string }; edges: { node: { id: string } }[] } }
      }
    const orderBy = 'orderBy: [{tenant: {id: ASC}}, {name: DESC}], first: 2'
    const first = await page(orderBy)
    const { endCursor } = first.data.Port.pageInfo
    const second = await page(`${orderBy}, after: "${endCursor}"`)
    expect([first, second].map(({ data }) => data.Port.edges.map(({ node }) => node.id))).toEqual([
      ['d', 'a'],
      ['b', 'e'],
    ])
  })

  test.each([
    ['{and_: {eq: "x"}}', ['1']],
    ['{or_: {eq: "y"}}', ['1']],
    ['{or__: {eq: "z"}}', ['1']],
    ['{not_: {eq: "n"}, and: [{where: {eq: "w"}}]}', ['1']],
    ['{or: [{orderBy: {eq: "o"}}, {id: {eq: "2"}}]}', ['1', '2']],
  ])('columns with the names of groups and arguments: %s', async (where, expected) => {
    expect(await ids(`Odd(where_: ${where}, orderBy__: {orderBy_: DESC})`)).toEqual(expected)
  })

  test('a column of such a name keeps its argument', async () => {
    expect(await ids('Odd(where: "w", orderBy: "o", orderBy_: "p")')).toEqual(['1'])
  })

  test.each([
    [
      '{nam: {eq: 1}}',
      'Field "nam" is not defined by type "Port_Where". Did you mean "name", "and", or "not"?',
    ],
    ['{name: {like: "x"}}', 'Field "like" is not defined by type "Text_Comparison". Did you mean "lte"?'],
    ['{rate: {icontains: "1"}}', 'Field "icontains" is not defined by type "String_Comparison".'],
    ['{name: "x"}', 'Expected value of type "Text_Comparison", found "x".'],
    ['{name: {eq: 1}}', 'String cannot represent a non string value: 1'],
    ['{isActivated: {eq: "1"}}', 'Int cannot represent non-integer value: "1"'],
    ['{name: null}', 'where.name takes an object with operators, such as {eq: "x"}.'],
    ['{tenant: null}', 'where.tenant takes an object with conditions.'],
    [
      '{rate: {between: ["1"]}}',
      'where.rate.between takes a list of two values, because the operator is "between".',
    ],
    ['{rate: {eq: "many"}}', expect.stringContaining('where.rate.eq')],
    [
      `${'{not: '.repeat(21)}{}${'}'.repeat(21)}`,
      expect.stringContaining('is nested deeper than 20 groups.'),
    ],
    [
      `{and: [${'{},'.repeat(2000)}]}`,
      'where has more than 500 conditions, which is the limit; for one of many values use the operator "in".',
    ],
    [
      `{or: [${'{id: {eq: "a"}},'.repeat(501)}]}`,
      'where has more than 500 conditions, which is the limit; for one of many values use the operator "in".',
    ],
  ])('a mistake in where: %s', async (where, message) => {
    expect(await ids(`Port(where: ${where})`)).toEqual([message])
  })

  test.each([
    ['{}', 'orderBy takes one field; a list has one object for each.'],
    ['{id: ASC, name: ASC}', 'orderBy takes one field; a list has one object for each.'],
    ['[{id: ASC}, {tenant: {}}]', 'orderBy[1].tenant takes one field; a list has one object for each.'],
    ['{id: null}', 'orderBy.id takes ASC or DESC for a field, such as {name: ASC}.'],
    ['{tenant: ASC}', 'Expected value of type "Tenant_OrderBy", found ASC.'],
    ['{id: UP}', 'Value "UP" does not exist in "OrderDirection" enum.'],
    ['{portCollection: {id: ASC}}', 'Field "portCollection" is not defined by type "Port_OrderBy".'],
  ])('a mistake in orderBy: %s', async (orderBy, message) => {
    expect(await ids(`Port(orderBy: ${orderBy})`)).toEqual([message])
  })
})
