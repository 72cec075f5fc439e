/** A column of a view of SQLite has no type: what is looked for in it is looked for in what is shown of its values. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const product = products.find(({ name }) => name === 'SQLite')

describe('SQLite', () => {
  let gateway: TestGateway

  beforeAll(async () => {
    if (product === undefined) throw new Error('the tests know SQLite')
    gateway = await startTestGateway(product, (options) =>
      executeAll(options, [
        'create table sale (id integer primary key, price real)',
        'insert into sale values (1, 2545.0), (2, 0.1), (3, 1e300), (4, 12.5)',
        'create view total as select id, price + 0.2 - 0.2 as amount from sale',
      ]),
    )
  })
  afterAll(() => gateway.close())

  test.each([
    ['contains', '5.', []],
    ['contains', '12.5', ['12.5']],
    ['ends', '00000000000003', ['0.10000000000000003']],
    ['ends', '45', ['2545']],
    ['starts', '1e+3', ['1e+300']],
  ])('%s %s', async (operator, text, amounts) => {
    const query = `query ($text: GenericScalar) { total(filters: [{ key: "amount", op: "${operator}", val: $text }]) { edges { node { amount } } } }`
    const answer = await gateway.request('POST', '/graphql', { body: { query, variables: { text } } })
    expect(answer.body).toEqual({
      data: { total: { edges: amounts.map((amount) => ({ node: { amount } })) } },
    })
  })
})
