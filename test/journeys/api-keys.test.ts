import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { anyProduct, type TestDatabase } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
const prefix = expect.stringMatching(/^ghk_[\w-]{4}$/)
const password = 'a long pass phrase'

describe.each(anyProduct('MariaDB'))('$name: the API keys of an account, at two nodes', (product) => {
  let first: TestGateway
  let second: Gateway
  let firstKey: string

  beforeAll(async () => {
    let created: TestDatabase | undefined
    first = await startTestGateway({
      ...product,
      async createDatabase(wanted) {
        created = await product.createDatabase(wanted)
        return created
      },
    })
    if (created === undefined) throw new Error('there is no database')
    second = await startGateway({
      database: created.options,
      waitsForDatabase: false,
      host: '127.0.0.1',
      port: 0,
      tokenTtlSeconds: 3600,
      bodyLimitBytes: 1_000_000,
      graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
      bootstrap: {},
      observe: () => undefined,
    })
    await first.request('POST', '/manage/roles', { body: { name: 'reader', authorities: [] } })
    const robin = { username: 'Robin H', password, role: 'reader' }
    const { body } = await first.request('POST', '/manage/accounts', { body: robin })
    firstKey = (body as { api_key: string }).api_key
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  const keys = '/manage/accounts/Robin%20H/api-keys'
  const logonStatus = async (address: string, apiKey: string) => {
    const response = await fetch(`${address}/logon`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xaas-api-key': apiKey },
      body: JSON.stringify({ username: 'Robin H', password }),
    })
    return response.status
  }
  const logonStatuses = async (apiKey: string) => [
    await logonStatus(first.url, apiKey),
    await logonStatus(second.address, apiKey),
  ]

  test('B12 are made, used beside each other, and ended one by one', async () => {
    const made = await first.request('POST', keys, {
      body: { name: 'ci 2', expires_at: '2999-12-31T23:59:59Z' },
    })
    const shown = {
      name: 'ci 2',
      prefix,
      created: moment,
      expires_at: '2999-12-31T23:59:59+00:00',
      last_used: null,
    }
    expect([made.status, made.headers.get('location'), made.body]).toEqual([
      201,
      '/manage/accounts/Robin%20H/api-keys/ci%202',
      { ...shown, api_key: expect.stringMatching(/^ghk_[\w-]{43}$/) },
    ])
    const { api_key: secondKey } = made.body as { api_key: string }

    expect(await logonStatuses(firstKey)).toEqual([200, 200])
    expect(await logonStatuses(secondKey)).toEqual([200, 200])
    const used = { ...shown, last_used: moment }
    expect((await first.request('GET', keys)).body).toEqual([
      used,
      { name: 'default', prefix, created: moment, expires_at: null, last_used: moment },
    ])
    expect((await first.request('GET', `${keys}/ci%202`)).body).toEqual(used)

    expect((await first.request('DELETE', `${keys}/default`)).status).toBe(204)
    expect(await logonStatuses(firstKey)).toEqual([401, 401])
    expect(await logonStatuses(secondKey)).toEqual([200, 200])

    const { body: audit } = await first.request('GET', '/manage/audit?limit=2')
    const entry = { account: 'admin', record: 'api_key', name: 'Robin H' }
    expect(audit).toMatchObject([
      { ...entry, action: 'deleted', detail: 'default' },
      { ...entry, action: 'created', detail: 'ci 2' },
    ])
    const lists = await Promise.all(
      [keys, '/manage/audit', '/manage/accounts'].map((path) => first.request('GET', path)),
    )
    expect(JSON.stringify(lists.map(({ body }) => body))).not.toMatch(/ghk_[\w-]{5}/)
  })

  test('have names of their own, and belong to an account', async () => {
    await first.request('POST', keys, { body: { name: 'twice' } })
    const refusals = await Promise.all([
      first.request('POST', keys, { body: { name: 'twice' } }),
      first.request('GET', `${keys}/none`),
      first.request('DELETE', `${keys}/none`),
      first.request('GET', '/manage/accounts/nobody/api-keys'),
      first.request('POST', '/manage/accounts/nobody/api-keys', { body: { name: 'a' } }),
      first.request('DELETE', '/manage/accounts/nobody/api-keys/a'),
      first.request('PUT', `${keys}/twice`, { body: {} }),
    ])
    expect(refusals.map(({ status, body }) => [status, (body as { detail: string }).detail])).toEqual([
      [
        409,
        'Another API key of "Robin H" is named "twice" already. Choose another name, or delete the one there is.',
      ],
      [404, 'There is no API key of "Robin H" named "none".'],
      [404, 'There is no API key of "Robin H" named "none".'],
      [404, 'There is no account named "nobody".'],
      [404, 'There is no account named "nobody".'],
      [404, 'There is no account named "nobody".'],
      [405, 'This path takes GET, DELETE, HEAD.'],
    ])
  })

  test('end with the account', async () => {
    const { body } = await first.request('POST', keys, { body: { name: 'last' } })
    expect((await first.request('DELETE', '/manage/accounts/Robin%20H')).status).toBe(204)
    expect(await logonStatuses((body as { api_key: string }).api_key)).toEqual([401, 401])
  })
})
