import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON, read as a client reads it
type Json = any

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
    gateway = await startTestGateway(product, withEntities(definitions), { slowStatementMs: 0 })
  })
  afterAll(() => gateway.close())

  const show = async (path: string): Promise<Json> => (await gateway.request('GET', path)).body

  test('the status shows what runs and what was done', async () => {
    await gateway.request('GET', '/apis/ports')
    await gateway.request('GET', '/apis/ports/none')
    const status = await show('/manage/status')
    expect(status).toMatchObject({
      node: { pid: process.pid, runtime: process.version },
      database: { reachable: true, version: expect.stringMatching(/^\d+\./) },
      store: { separate: false, reachable: true },
      counts: { tables: 2, entities: 2, published_apis: 2, roles: 1, accounts: 1, routes: 0 },
    })
    expect(status.database.connections.most).toBeGreaterThan(2)
    expect(status.activity.total.requests).toMatchObject({ '2xx': 2, '4xx': 1, '5xx': 0 })
    expect(status.activity.total.statements).toBeGreaterThan(0)
    expect(status.activity.steps).toHaveLength(60)
  })

  test('slow statements are listed with what ran them, and without values', async () => {
    expect((await gateway.request('DELETE', '/manage/statements')).body).toMatchObject({
      removed: expect.any(Number),
    })
    await gateway.request('GET', '/manage/roles')
    const tenant = { id: 'secret-value' }
    await gateway.request('POST', '/apis/tenants', { body: tenant })
    await gateway.request('GET', '/apis/tenants?id=secret-value')
    await gateway.request('GET', '/apis/tenants/secret-value')
    await gateway.graphql('query Some { Tenant(id: "secret-value") { edges { node { id } } } }')
    await gateway.graphql('{ Tenant(id: "secret-value") { totalCount } }')
    const { threshold_ms, statements } = await show('/manage/statements')
    expect(threshold_ms).toBe(0)
    expect(JSON.stringify(statements)).not.toContain('secret-value')
    const causes = new Set(statements.map(({ cause }: Json) => cause))
    expect(causes).toEqual(
      new Set([
        null,
        'POST /apis/tenants',
        'GET /apis/tenants',
        'GET /apis/tenants/:identifier',
        'GraphQL Some',
        'GraphQL',
      ]),
    )
  })
})
