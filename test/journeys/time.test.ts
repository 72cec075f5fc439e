/** What ends by itself, over HTTP, with a clock that the test sets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition } from '../support/temporary-entities.ts'
import { createAccount, logonAs, tryLogon } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

describe.each(products)('$name', (product) => {
  /** Seconds that the gateway's clock is ahead. */
  let ahead = 0
  let gateway: TestGateway
  let administrator: string

  beforeAll(async () => {
    const start = Date.parse('2026-11-21T06:00:00Z')
    const now = () => new Date(start + ahead * 1000)
    gateway = await startTestGateway(product, withEntities(definition('Port')), {
      now,
      tokenTtlSeconds: 3650 * day,
    })
    administrator = gateway.token
  })
  afterAll(() => gateway.close())

  const statusOf = async (token: string, path = '/whoami') =>
    (await gateway.request('GET', path, { token })).status
  const reading = [{ regex: '/whoami', methods: ['GET'] }]

  test('a token ends with its account, and an account takes no logon after its last day', async () => {
    const account = await createAccount(gateway, 'guest', reading, { expire_days: 2 })
    const token = await logonAs(gateway, account)
    ahead += 2 * day - 1
    expect(await statusOf(token)).toBe(200)
    ahead += 1
    expect(await statusOf(token)).toBe(401)
    expect(await tryLogon(gateway, account)).toMatchObject({ status: 401 })
    await gateway.request('PATCH', '/manage/accounts/guest', { body: { expire_days: 2 } })
    expect(await statusOf(await logonAs(gateway, account))).toBe(200)
  })

  test('a token ends after its lifetime', async () => {
    const account = await createAccount(gateway, 'reader', reading)
    const token = await logonAs(gateway, account)
    ahead += 3650 * day - 1
    expect(await statusOf(token)).toBe(200)
    ahead += 1
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(administrator)).toBe(401)
    const { password, apiKey } = gateway
    administrator = await logonAs(gateway, { username: 'admin', password, apiKey })
    expect(await statusOf(administrator)).toBe(200)
  })

  test('requests are counted again in each window of the limit', async () => {
    const limits = { requests: 2, per: minute }
    const body = { username: 'counted', password: 'a long pass phrase', role: 'of-counted', limits }
    const send = (method: string, path: string, document: object) =>
      gateway.request(method, path, { body: document, token: administrator })
    const authorities = [{ regex: '/apis/ports', methods: ['GET'] }]
    await send('PUT', '/manage/roles/of-counted', { authorities })
    const { api_key: apiKey } = (await send('POST', '/manage/accounts', body)).body as { api_key: string }
    const token = await logonAs(gateway, { ...body, apiKey })
    const count = () => statusOf(token, '/apis/ports')
    const statuses = async () => [await count(), await count(), await count()]
    expect(await statuses()).toEqual([200, 200, 429])
    ahead += minute
    expect(await statuses()).toEqual([200, 200, 429])
  })

  test('a call is repeated with its idempotency key for a day, and is another call then', async () => {
    const create = () =>
      gateway.request('POST', '/apis/ports', {
        body: {},
        headers: { 'idempotency-key': 'once' },
        token: administrator,
      })
    const first = await create()
    ahead += day - 1
    const repeated = await create()
    ahead += 1
    const again = await create()
    expect([first.status, repeated.status, again.status]).toEqual([201, 201, 201])
    expect(repeated.body).toEqual(first.body)
    expect(again.body).not.toEqual(first.body)
  })
})
