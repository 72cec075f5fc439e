import { afterAll, beforeAll, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  gateway = await startTestGateway(product)
})
afterAll(() => gateway.close())

/** The metrics of the gateway by name and labels. */
async function metrics(): Promise<ReadonlyMap<string, number>> {
  const { status, headers, body } = await gateway.request('GET', '/metrics')
  expect({ status, type: headers.get('content-type') }).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  })
  const lines = String(body).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^([^#].*) (\S+)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, Number(value)] as const]
    }),
  )
}

const requestCount = 'gatehouse_http_request_duration_seconds_count'

test('requests are counted by what they were for, not by their paths', async () => {
  for (const name of ['a', 'b', 'c']) await gateway.request('GET', `/manage/roles/${name}`)
  await gateway.request('GET', '/nothing-of-the-kind')
  await gateway.request('GET', '/manage/roles', { token: null })
  const counted = [...(await metrics())].filter(([name]) => name.startsWith(requestCount))
  expect(Object.fromEntries(counted)).toEqual({
    [`${requestCount}{method="POST",route="/logon",status="200"}`]: 1,
    [`${requestCount}{method="GET",route="/manage/roles/:name",status="404"}`]: 3,
    [`${requestCount}{method="GET",route="",status="404"}`]: 1,
    [`${requestCount}{method="GET",route="/manage/roles",status="401"}`]: 1,
  })
})

test('logons, changes, statements and tables are counted', async () => {
  const before = await metrics()
  const headers = { 'x-xaas-api-key': 'wrong' }
  const refused = { body: { username: 'admin', password: 'guessed' }, headers, token: null }
  await gateway.request('POST', '/logon', refused)
  await gateway.request('POST', '/manage/roles', {
    body: { name: 'reader', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] },
  })
  const after = await metrics()
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect({
    refused: grown('gatehouse_logons_total{outcome="refused"}'),
    roles: grown('gatehouse_record_changes_total{record="role",change="created"}'),
    hasStatements: grown('gatehouse_database_statement_duration_seconds_count') > 0,
    tables: after.get('gatehouse_schema_tables'),
    hasMemory: after.has('process_resident_memory_bytes'),
  }).toEqual({ refused: 1, roles: 1, hasStatements: true, tables: 0, hasMemory: true })
})

test('they are for roles that may read them', async () => {
  expect((await gateway.request('GET', '/metrics', { token: null })).status).toBe(401)
})
