import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { products, type TestDatabase, type TestProduct } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** Long enough for a busy machine; how fast it is on a free one is measured elsewhere. */
const waitLimits = { timeout: 60_000, interval: 50 }

describe.each(products)('$name: two nodes on one database', (product) => {
  let first: TestGateway
  let second: Gateway
  let reader: string

  beforeAll(async () => {
    let created: TestDatabase | undefined
    const shared: TestProduct = {
      ...product,
      async createDatabase(wanted) {
        created = await product.createDatabase(wanted)
        return created
      },
    }
    first = await startTestGateway(shared)
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
    await first.request('POST', '/manage/roles', {
      body: { name: 'reader', authorities: [{ regex: '/graphql', methods: ['GET', 'POST'] }] },
    })
    const account = { username: 'robin', password: 'a long pass phrase', role: 'reader' }
    const { body } = await first.request('POST', '/manage/accounts', { body: account })
    const logon = await first.request('POST', '/logon', {
      body: { username: 'robin', password: 'a long pass phrase' },
      headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
    })
    reader = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  const statusAtSecond = async (token: string | undefined, path = '/graphql') => {
    const headers = token === undefined ? {} : { 'x-xaas-auth-token': token }
    return (await fetch(second.address + path, { headers })).status
  }

  test('R7 B4: wrong logons at both count together, and R8: a disabled account is kept out at both', async () => {
    const made = await first.request('POST', '/manage/accounts', {
      body: { username: 'sam', password: 'a long pass phrase', role: 'reader' },
    })
    const { api_key: key } = made.body as { api_key: string }
    const statusAt = async (url: string, password: string) => {
      const response = await fetch(`${url}/logon`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-xaas-api-key': key },
        body: JSON.stringify({ username: 'sam', password }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, string> }
    }
    const { body } = await statusAt(second.address, 'a long pass phrase')
    const token = body['x-xaas-auth-token']
    await vi.waitFor(async () => expect(await statusAtSecond(token)).toBe(200), waitLimits)
    const statuses = []
    for (let number = 0; number < 12; number += 1)
      statuses.push((await statusAt(number % 2 === 0 ? first.url : second.address, 'wrong')).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const right = [first.url, second.address].map((url) => statusAt(url, 'a long pass phrase'))
    expect((await Promise.all(right)).map(({ status }) => status)).toEqual([429, 429])
    await first.request('PATCH', '/manage/accounts/sam', { body: { disabled: true } })
    await vi.waitFor(async () => expect(await statusAtSecond(token)).toBe(401), waitLimits)
  })

  test('an account and a token made at one are known at the other', async () => {
    await vi.waitFor(async () => expect(await statusAtSecond(reader)).toBe(200), waitLimits)
  })

  test('a role that loses a right at one loses it at the other', async () => {
    await vi.waitFor(async () => expect(await statusAtSecond(reader)).toBe(200), waitLimits)
    await first.request('PUT', '/manage/roles/reader', {
      body: { name: 'reader', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] },
    })
    await vi.waitFor(async () => expect(await statusAtSecond(reader)).toBe(401), waitLimits)
  })

  test('a public route made at one is open at the other', async () => {
    expect(await statusAtSecond(undefined)).toBe(401)
    await first.request('POST', '/manage/routes', {
      body: { name: 'open', path: '/graphql', methods: ['GET'], scope: 'public' },
    })
    await vi.waitFor(async () => expect(await statusAtSecond(undefined)).toBe(200), waitLimits)
  })

  test('a token that ends at one ends at the other', async () => {
    await vi.waitFor(async () => expect(await statusAtSecond(first.token, '/whoami')).toBe(200), waitLimits)
    const { body } = await first.request('POST', '/logon', {
      body: { username: 'admin', password: first.password },
      headers: { 'x-xaas-api-key': first.apiKey },
    })
    const token = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
    expect(await statusAtSecond(token, '/whoami')).toBe(200)
    expect((await first.request('POST', '/logoff', { token })).status).toBe(204)
    await vi.waitFor(async () => expect(await statusAtSecond(token, '/whoami')).toBe(401), waitLimits)
  })

  test('an entity uploaded at one is served at the other', async () => {
    await first.request('POST', '/manage/entities', {
      body: {
        category: 'network',
        name: 'Cable',
        persistence: true,
        api_generation: true,
        abstract: false,
        attributes: {
          identifier: {
            field_name: 'id',
            field_type: 'string',
            field_persistence: true,
            field_immutable: true,
          },
          local_fields: [],
          ref_fields: [],
        },
        methods: { class_methods: [], instance_methods: [] },
      },
    })
    await vi.waitFor(async () => {
      const answer = await fetch(`${second.address}/apis/cables`, {
        headers: { 'x-xaas-auth-token': first.token },
      })
      expect([answer.status, await answer.text()]).toEqual([200, '[]'])
    }, waitLimits)
    expect(await second.schemaText()).toContain('type Cable_ ')
  })
})
