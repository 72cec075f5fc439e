import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON, read as a client reads it
type Json = any

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let time = Date.parse('2027-01-31T09:00:00Z')

  beforeAll(async () => {
    gateway = await startTestGateway(product, undefined, { now: () => new Date(time) })
    const authorities = [{ regex: '/apis/.*', methods: ['GET'] }]
    for (const name of ['reader', 'Reader']) {
      time += 60_000
      await gateway.request('POST', '/manage/roles', { body: { name, authorities } })
    }
    time += 60_000
    await gateway.request('PUT', '/manage/roles/reader', { body: { authorities: [] } })
    const account = { username: 'reader', password: 'a long pass phrase', role: 'reader' }
    await gateway.request('POST', '/manage/accounts', { body: account })
  })
  afterAll(() => gateway.close())

  const list = async (query: Record<string, string>): Promise<Json> => {
    const path = `/manage/audit?${new URLSearchParams(query)}`
    const { body } = await gateway.request('GET', path)
    return Array.isArray(body) ? body.map(({ action, record, name }) => `${action} ${record} ${name}`) : body
  }

  test('the audit is filtered by actor, action, record, name and time', async () => {
    const roles = ['changed role reader', 'created role Reader', 'created role reader']
    expect(await list({ account: 'admin' })).toEqual(['created account reader', ...roles])
    expect(await list({ account: 'robin' })).toEqual([])
    expect(await list({ account: 'admin', action: 'created' })).toEqual([
      'created account reader',
      'created role Reader',
      'created role reader',
    ])
    expect(await list({ record: 'role', account: 'admin' })).toEqual(roles)
    expect(await list({ record: 'role', name: 'reader' })).toEqual([roles[0], roles[2]])
    expect(await list({ from: '2027-01-31T09:02:00', to: '2027-01-31T10:03:00+01:00' })).toEqual([roles[1]])
    expect(await list({ record: 'role', account: 'admin', limit: '1' })).toEqual([roles[0]])
    const [first] = (await gateway.request('GET', '/manage/audit?record=role&limit=1')).body as Json
    expect(await list({ record: 'role', account: 'admin', before: first.id })).toEqual(roles.slice(1))
  })

  test('filters that cannot be are refused', async () => {
    expect(await list({ action: 'create' })).toMatchObject({
      code: 'PARAMETER_INVALID',
      errors: [{ pointer: '/action', detail: expect.stringContaining('did you mean') }],
    })
    expect(await list({ from: 'yesterday' })).toMatchObject({ errors: [{ pointer: '/from' }] })
  })
})
