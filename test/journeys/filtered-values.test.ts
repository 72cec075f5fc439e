/** What a field is compared with means the same on every product, also where a column could hold more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const number = 'takes a number, not'
const decimal = 'takes a decimal number, not'
const moment = 'takes a date and time such as "2026-01-31T09:30:00", not'
const date = 'takes a date such as "2026-01-31", not'

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const local = [
      field('ratio', 'float'),
      field('price', 'decimal'),
      field('at', 'DateTime'),
      field('day', 'Date'),
    ]
    await gateway.request('POST', '/manage/entities', { body: definition('Port', { local }) })
    const body = { id: 'p1', ratio: 1.5, price: '1.5', at: '2026-01-31T09:30:00', day: '2026-01-31' }
    await gateway.request('POST', '/apis/ports', { body })
  })
  afterAll(() => gateway.close())

  test.each([
    ['ratio', 'NaN', number],
    ['ratio', 'Infinity', number],
    ['price', 'NaN', decimal],
    ['at', 'infinity', moment],
    ['at', '2026-02-30', moment],
    ['at', '2026-01-31T25:00:00', moment],
    ['at', '-0043-03-15', moment],
    ['at', 'yesterday', moment],
    ['day', '2026-02-30', date],
    ['day', '2026', date],
    ['day', '+10000-01-01', date],
  ])('%s is not compared with %s', async (name, value, sentence) => {
    const detail = `"${name}" ${sentence} ${JSON.stringify(value)}.`
    const query = encodeURIComponent(value)
    expect(await gateway.request('GET', `/apis/ports?${name}=${query}`)).toMatchObject({
      status: 400,
      body: { code: 'PARAMETER_INVALID', detail: `${name}: ${detail}` },
    })
    const filters = encodeURIComponent(JSON.stringify([{ key: name, op: '<', val: value }]))
    expect(await gateway.request('GET', `/apis/ports?filters=${filters}`)).toMatchObject({
      status: 400,
      body: { detail: `filters[0].val: ${detail}` },
    })
  })

  test.each([
    ['ratio', '1.50'],
    ['price', '1.50'],
    ['at', '2026-01-31T10:30:00+01:00'],
    ['day', '2026-01-31'],
  ])('%s is compared with %s', async (name, value) => {
    const { body } = await gateway.request('GET', `/apis/ports?${name}=${encodeURIComponent(value)}`)
    expect(body).toMatchObject([{ id: 'p1' }])
  })

  test('a day that there is not is reported with its place in GraphQL, too', async () => {
    expect(await gateway.graphql('{ Port(day: "2026-02-30") { totalCount } }')).toMatchObject({
      errors: [{ message: expect.stringContaining(`"day" ${date} "2026-02-30".`) }],
    })
  })
})
