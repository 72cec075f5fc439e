import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { anyProduct } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let running: TestGateway

  beforeAll(async () => {
    running = await startTestGateway(product, async (options) => {
      const { driver } = await openDatabase(options)
      const sql = `create view slow as with recursive counted(number) as
      (select 1 union all select number + 1 from counted where number < 250)
      select cast(count(*) as char(20)) as result from counted a cross join counted b cross join counted c`
      await driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
      await driver.close()
    })
  })
  afterAll(() => running.close())

  describe('the audits of the GraphQL-over-HTTP specification', () => {
    const audits = serverAudits({
      url: () => `${running.url}/graphql`,
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { ...init.headers, 'x-xaas-auth-token': running.token } }),
    })
    for (const audit of audits) {
      test(audit.name, async () => {
        const result = await audit.fn()
        expect({ status: result.status, reason: 'reason' in result ? result.reason : '' }).toEqual({
          status: 'ok',
          reason: '',
        })
      })
    }
  })

  test('GET without a query answers the schema as text', async () => {
    const { status, headers, body } = await running.request('GET', '/graphql')
    expect({ status, type: headers.get('content-type'), keys: Object.keys(body as object) }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      keys: ['schema'],
    })
    expect((body as { schema: string }).schema).toContain('type slow_ {')
  })

  test('a mutation does not come by GET', async () => {
    const { status, headers } = await running.request('GET', '/graphql?query=mutation%7Bx%7D')
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })

  test('other requests are answered while a heavy query runs', async () => {
    const order: string[] = []
    const slow = running.graphql('{ slow { edges { node { result } } } }').then((answer) => {
      order.push('slow')
      return answer
    })
    for (let count = 0; count < 10; count += 1) {
      expect((await running.request('GET', '/healthz', { token: null })).status).toBe(200)
      expect(await running.graphql('{ __typename }')).toEqual({ data: { __typename: 'Query' } })
      order.push('quick')
    }
    expect(await slow).toEqual({ data: { slow: { edges: [{ node: { result: '15625000' } }] } } })
    expect(order).toEqual([...Array.from({ length: 10 }, () => 'quick'), 'slow'])
  })
})
