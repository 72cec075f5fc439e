import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON, read as a client reads it
type Json = any

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
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

  test('an entry says what the change has changed', async () => {
    const changesOf = async (name: string) => {
      const entries = (await gateway.request('GET', `/manage/audit?account=admin&name=${name}`)).body as Json
      return entries.map(({ action, record, changes }: Json) => [`${action} ${record}`, changes])
    }
    const authorities = [{ regex: '/apis/.*', methods: ['GET'] }]
    time += 60_000
    await gateway.request('POST', '/manage/accounts', {
      body: {
        username: 'robin',
        password: 'a long pass phrase',
        role: 'reader',
        metadata: { mail: 'r@example.org' },
      },
    })
    time += 60_000
    await gateway.request('PATCH', '/manage/accounts/robin', {
      body: { role: ['reader', 'Reader'], password: 'another long phrase', metadata: {}, disabled: false },
    })
    time += 60_000
    await gateway.request('DELETE', '/manage/accounts/robin')
    const [deleted, changed, made] = await changesOf('robin')
    expect(made).toEqual([
      'created account',
      {
        username: { after: 'robin' },
        role: { after: 'reader' },
        expire_days: { after: null },
        expire: { after: null },
        disabled: { after: false },
        metadata: {},
        created: { after: expect.any(String) },
      },
    ])
    expect(changed).toEqual([
      'changed account',
      { role: { before: 'reader', after: ['reader', 'Reader'] }, metadata: {}, password: {} },
    ])
    expect(deleted).toEqual([
      'deleted account',
      { ...invert(made[1]), role: { before: ['reader', 'Reader'] } },
    ])
    expect(await changesOf('reader')).toEqual([
      ['created account', expect.anything()],
      ['changed role', { authorities: { before: authorities, after: [] } }],
      ['created role', { name: { after: 'reader' }, authorities: { after: authorities } }],
    ])
  })

  test('the headers of a route are not kept: they may hold secrets', async () => {
    const put = (body: object) => gateway.request('PUT', '/manage/routes/ports', { body })
    const route = { path: '/ports', methods: ['GET'], scope: 'protected', target: 'http://127.0.0.1:1' }
    for (const secret of ['hunter2', 'hunter3']) {
      time += 60_000
      const headers = { set: { authorization: `Bearer ${secret}` } }
      expect((await put({ ...route, headers })).body).toMatchObject({ headers })
    }
    time += 60_000
    expect((await gateway.request('DELETE', '/manage/routes/ports')).status).toBe(204)
    const { body } = await gateway.request('GET', '/manage/audit?record=route&name=ports')
    expect((body as Json).map(({ action, changes }: Json) => [action, changes])).toEqual([
      ['deleted', expect.objectContaining({ target: { before: route.target }, headers: {} })],
      ['changed', { headers: {} }],
      ['created', expect.objectContaining({ target: { after: route.target }, headers: {} })],
    ])
    expect(JSON.stringify(body)).not.toContain('hunter')
  })

  test('filters that cannot be are refused', async () => {
    expect(await list({ action: 'create' })).toMatchObject({
      code: 'PARAMETER_INVALID',
      errors: [{ pointer: '/action', detail: expect.stringContaining('did you mean') }],
    })
    expect(await list({ from: 'yesterday' })).toMatchObject({ errors: [{ pointer: '/from' }] })
  })
})

/** What the deletion of a record changes, by what its creation has changed. */
function invert(changes: Json): Json {
  return Object.fromEntries(
    Object.entries(changes).map(([name, { after }]: Json) => [
      name,
      after === undefined ? {} : { before: after },
    ]),
  )
}
