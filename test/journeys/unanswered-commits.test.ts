/** A change whose end the database does not answer: clients are told that it may have been kept. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { describeOn } from '../support/describe-on.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const servers = products.filter(({ runningStatements }) => runningStatements !== undefined)

const detail =
  'The database did not answer the end of the change, so it is unknown whether it was kept. Read the records before you send it again.'

describeOn(servers, (product) => {
  let proxy: FaultProxy
  let gateway: TestGateway

  beforeAll(async () => {
    const { options, remove } = await product.createDatabase()
    const { host, port } = options as { readonly host: string; readonly port: number }
    proxy = await startFaultProxy(host, port)
    const database = { options: { ...options, port: proxy.port } as DatabaseOptions, remove }
    const reachable = { ...product, createDatabase: async () => database }
    gateway = await startTestGateway(reachable, withEntities(definition('Tenant')))
  })
  afterAll(async () => {
    await gateway.close()
    await proxy.close()
  })

  /** The server has heard of the change. */
  const kept = (id: string) =>
    vi.waitFor(
      async () => expect((await gateway.request('GET', `/apis/tenants/${id}`)).status).toBe(200),
      30_000,
    )
  const mutation = (id: string) => ({
    query: `mutation { a: create_Tenant(input: { id: "${id}" }) { id } b: create_Tenant(input: { id: "${id}-b" }) { id } }`,
  })

  test('a call of a published API says so, and with its key it is not done again', async () => {
    const send = () =>
      gateway.request('POST', '/apis/tenants', {
        body: { id: 'of-rest' },
        headers: { 'idempotency-key': 'one' },
      })
    proxy.breakCommitAfter('of-rest', 'cut')
    const { status, headers, body } = await send()
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(body).toMatchObject({ code: 'DATABASE_UNAVAILABLE', detail })
    await kept('of-rest')
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  })

  test('so does a mutation', async () => {
    proxy.breakCommitAfter('of-a-mutation', 'cut')
    const { status, headers, body } = await gateway.request('POST', '/graphql', {
      body: mutation('of-a-mutation'),
    })
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(body).toMatchObject({ code: 'DATABASE_UNAVAILABLE', detail })
    await kept('of-a-mutation')
  })

  test('and one in a batch, whose other requests are answered', async () => {
    proxy.breakCommitAfter('of-a-batch', 'cut')
    const { status, body } = await gateway.request('POST', '/graphql', {
      body: [mutation('of-a-batch'), { query: '{ __typename }' }],
    })
    const extensions = { code: 'DATABASE_UNAVAILABLE', requestId: expect.any(String) }
    expect([status, body]).toEqual([
      200,
      [{ errors: [{ message: detail, extensions }] }, { data: { __typename: 'Query' } }],
    ])
    await kept('of-a-batch')
  })
})
