/** Columns with names that are values in SQL, such as `true`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const names = ['true', 'false', 'null', 'current_timestamp', 'rowid', 'value', 'k']
const odd = definition('Odd', {
  local: names.map((name) => field(name, 'integer')),
  refs: [reference('otherId', 'Odd')],
})

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
    gateway = await startTestGateway(product)
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
