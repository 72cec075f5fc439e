/** Columns with names that are values in SQL, such as `true`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const names = ['true', 'false', 'null', 'current_timestamp', 'rowid', 'value', 'k']
const odd = definition('Odd', {
  local: names.map((name) => field(name, 'integer')),
  refs: [reference('otherId', 'Odd')],
})

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  const records = [
    { id: 'p1', true: 0, false: 1, null: 1, current_timestamp: 1, rowid: 3, value: 1, k: 1, otherId: null },
    { id: 'p2', true: 1, false: 0, null: 2, current_timestamp: 2, rowid: 2, value: 2, k: 2, otherId: 'p1' },
    {
      id: 'p3',
      true: null,
      false: 9,
      null: null,
      current_timestamp: 3,
      rowid: 1,
      value: 3,
      k: 3,
      otherId: 'p2',
    },
  ]
  beforeAll(async () => {
    gateway = await startTestGateway(product, (options) =>
      runStatements(options, [
        'create table keyed (`true` varchar(9) primary key, `false` varchar(9) references keyed (`true`))',
        "insert into keyed values ('a', 'a'), ('b', 'a'), ('c', 'a')",
      ]).then(() => undefined),
    )
    expect((await gateway.request('POST', '/manage/entities', { body: [odd] })).status).toBe(201)
    expect((await gateway.request('POST', '/apis/odds', { body: records })).status).toBe(201)
  })
  afterAll(() => gateway.close())

  /** The ids that a list shows. */
  async function ids(list: string) {
    const answer = await gateway.graphql(`{ Odd(${list}) { edges { node { id } } } }`)
    const { data } = answer as { data?: { Odd: { edges: { node: { id: string } }[] } } }
    return data?.Odd.edges.map(({ node }) => node.id) ?? answer
  }

  test.each([
    ['{not: {id: {eq: "p1"}}}', ['p2', 'p3']],
    ['{not: {true: {eq: 1}}}', ['p1', 'p3']],
    ['{not: {not: {id: {eq: "p1"}}}}', ['p1']],
    ['{not: {false: {gt: 0}}}', ['p2']],
    ['{not: {odd: {true: {eq: 1}}}}', ['p1', 'p2']],
    ['{null: {isNull: true}}', ['p3']],
    ['{not: {null: {isNull: true}}}', ['p1', 'p2']],
    ['{true: {isNull: false}, false: {in: [0, 1]}}', ['p1', 'p2']],
    ['{current_timestamp: {gt: 1}, rowid: {lt: 2}, value: {in: [1, 3]}, k: {notIn: [1]}}', ['p3']],
  ])('where: %s', async (where, found) => {
    expect(await ids(`where: ${where}`)).toEqual(found)
  })

  test('lists by related rows and numbered ones show them', async () => {
    const nodes = async (list: string) =>
      gateway.graphql(`{ Odd(${list}) { totalCount edges { node { id true false odd { false } } } } }`)
    const [p1, p2, p3] = [
      { node: { id: 'p1', true: 0, false: 1, odd: null } },
      { node: { id: 'p2', true: 1, false: 0, odd: { false: 1 } } },
      { node: { id: 'p3', true: null, false: 9, odd: { false: 0 } } },
    ]
    const byOther = 'orderBy: [{odd: {false: DESC}}, {true: ASC}]'
    const shown = (...edges: readonly object[]) => ({ data: { Odd: { totalCount: 3, edges } } })
    expect(await nodes(byOther)).toEqual(shown(p2, p3, p1))
    expect(await nodes(`${byOther}, first: 1`)).toEqual(shown(p2))
    expect(await nodes('orderBy: [{false: ASC}, {true: ASC}], last: 2')).toEqual(shown(p1, p3))
    const collections = `{ Odd(orderBy: [{false: DESC}]) { edges { node { id list: oddCollection(first: 1, orderBy: [{odd: {true: ASC}}, {false: ASC}]) { edges { node { true } } } } } } }`
    expect(await gateway.graphql(collections)).toEqual({
      data: {
        Odd: {
          edges: [
            { node: { id: 'p3', list: { edges: [] } } },
            { node: { id: 'p1', list: { edges: [{ node: { true: 1 } }] } } },
            { node: { id: 'p2', list: { edges: [{ node: { true: null } }] } } },
          ],
        },
      },
    })
    const sums = '{ Odd { aggregates { sum { true false } max { false } } } }'
    expect(await gateway.graphql(sums)).toEqual({
      data: { Odd: { aggregates: { sum: { true: 1, false: 10 }, max: { false: 9 } } } },
    })
  })

  test('keys may have such names', async () => {
    const walk = async (rest: string) => {
      const query = `{ keyed(orderBy: [{keyed: {true: DESC}}], first: 2${rest}) { pageInfo { endCursor } edges { node { GlobalId true keyed { true } keyedCollection(last: 1) { edges { node { true } } } } } } }`
      const { data } = (await gateway.graphql(query)) as Json
      const { edges, pageInfo } = data.keyed
      return { nodes: edges.map(({ node }: Json) => node), after: pageInfo.endCursor }
    }
    const row = (key: string, ...others: readonly string[]) => ({
      GlobalId: expect.any(String),
      true: key,
      keyed: { true: 'a' },
      keyedCollection: { edges: others.map((other) => ({ node: { true: other } })) },
    })
    const first = await walk('')
    expect(first.nodes).toEqual([row('a', 'c'), row('b')])
    expect((await walk(`, after: ${JSON.stringify(first.after)}`)).nodes).toEqual([row('c')])
    const [, { GlobalId }] = first.nodes
    const where = `{ keyed(where: {GlobalId: {eq: ${JSON.stringify(GlobalId)}}, not: {true: {eq: "a"}}}) { edges { node { true false } } } }`
    expect(await gateway.graphql(where)).toEqual({
      data: { keyed: { edges: [{ node: { true: 'b', false: 'a' } }] } },
    })
  })

  test('roles may give them on some rows only', async () => {
    const all = { regex: '/apis/odds(/.*)?|/graphql/Odd', methods: ['GET', 'POST'] }
    const rights = [
      { ...all, fields: { read: ['id', 'otherId'] } },
      { ...all, fields: { read: ['true', 'false'] }, rows: [{ key: 'false', op: '<', val: 9 }] },
    ]
    const token = await logonAs(gateway, await createAccount(gateway, 'reader', rights))
    const rest = await gateway.request('GET', '/apis/odds?asc=id&false=0&fields=id,true', { token })
    expect(rest.body).toEqual([{ id: 'p2', true: 1 }])
    const query =
      '{ Odd(orderBy: [{odd: {true: DESC}}, {id: ASC}]) { edges { node { id true false odd { true } } } } }'
    const { body } = await gateway.request('POST', '/graphql', { body: { query }, token })
    expect(body).toEqual({
      data: {
        Odd: {
          edges: [
            { node: { id: 'p3', true: null, false: null, odd: { true: 1 } } },
            { node: { id: 'p2', true: 1, false: 0, odd: { true: 0 } } },
            { node: { id: 'p1', true: 0, false: 1, odd: null } },
          ],
        },
      },
    })
  })

  test('writes reach the rows of their conditions only', async () => {
    const body = { id: 'q1', true: 5, false: 6, null: 7, rowid: 8 }
    expect((await gateway.request('POST', '/apis/odds', { body: [body, { id: 'q2' }] })).status).toBe(201)
    expect((await gateway.request('PATCH', '/apis/odds/q1', { body: { false: 2 } })).body).toMatchObject({
      ...body,
      false: 2,
    })
    const kept = 'not: {id: {startsWith: "p"}}'
    expect(
      await gateway.graphql(
        `mutation { updateAll_Odd(where: {and: [{${kept}}, {not: {true: {eq: 5}}}]}, input: {true: 4}) { count } }`,
      ),
    ).toEqual({ data: { updateAll_Odd: { count: 1 } } })
    expect(await ids('where: {true: {eq: 4}}')).toEqual(['q2'])
    expect(await gateway.graphql(`mutation { deleteAll_Odd(where: {${kept}}) { count } }`)).toEqual({
      data: { deleteAll_Odd: { count: 2 } },
    })
    expect(await ids('limit: 9')).toEqual(['p1', 'p2', 'p3'])
  })
})
