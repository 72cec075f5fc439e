/** R9, R19: a right with conditions opens records only, and is given only by those who have it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startJsonServer } from '../support/json-server.ts'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const password = 'a long pass phrase'
const rows = [{ key: 'tenantId', op: '==', val: 't1' }]
const managing = { regex: '/manage/.*', methods }

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
  })
  afterAll(() => gateway?.close())

  const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code]
  // What every request without the right gets, with an empty body.
  const notAllowed = [401, {}]

  test('R19: everything with conditions opens nothing but records', async () => {
    const target = await startJsonServer({ items: [{ id: 1 }] })
    for (const [name, path] of [
      ['shop', '/shop/*'],
      ['records', '/apis/shop/*'],
    ])
      await gateway.request('POST', '/manage/routes', { body: { name, path, methods, target } })
    const account = await createAccount(gateway, 'conditional', [{ regex: '.*', methods, rows }])
    const token = await logonAs(gateway, account)
    const calls: readonly (readonly [string, string])[] = [
      ['GET', '/manage/accounts'],
      ['POST', '/manage/accounts'],
      ['PUT', '/manage/roles/of-conditional'],
      ['GET', '/manage/entities'],
      ['GET', '/shop/items'],
      ['GET', '/apis/shop/items'],
      ['GET', '/unknown'],
    ]
    const answers = await Promise.all(calls.map(([method, path]) => gateway.request(method, path, { token })))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(calls.map(() => notAllowed))
    const { body } = await gateway.request('POST', '/whoami/access', {
      token,
      body: { calls: [...calls, ['POST', '/graphql']].map(([method, path]) => ({ method, path })) },
    })
    expect((body as { calls: { allowed: boolean }[] }).calls.map(({ allowed }) => allowed)).toEqual([
      ...calls.map(() => false),
      true,
    ])
  })

  test('R11: nobody is an administrator by a right with conditions', async () => {
    const authorities = [{ regex: '.*', methods, rows: [] }]
    await gateway.request('PUT', '/manage/roles/no-administrator', { body: { authorities } })
    const second = { username: 'second', password, role: 'no-administrator' }
    expect((await gateway.request('POST', '/manage/accounts', { body: second })).status).toBe(201)
    expect(codeOf(await gateway.request('DELETE', '/manage/accounts/admin'))).toEqual([
      409,
      'LAST_ADMINISTRATOR',
    ])
    expect(codeOf(await gateway.request('PUT', '/manage/roles/admin', { body: { authorities } }))).toEqual([
      409,
      'LAST_ADMINISTRATOR',
    ])
  })

  describe('R9', () => {
    let token: string
    const held = { regex: '/apis/ports(/.*)?', methods: ['GET', 'PATCH'], rows, fields: { write: ['name'] } }
    beforeAll(async () => {
      const manager = await createAccount(gateway, 'manager', [managing, held])
      token = await logonAs(gateway, manager)
    })
    const as = (method: string, path: string, body: object) => gateway.request(method, path, { token, body })
    const put = (name: string, ...authorities: readonly object[]) =>
      as('PUT', `/manage/roles/${name}`, { authorities })

    test.each([
      ['the same', held],
      ['narrower paths', { ...held, regex: '/apis/ports/1', methods: ['GET'] }],
      ['in another order', Object.fromEntries(Object.entries(held).reverse())],
    ])('a right with conditions is given: %s', async (_, authority) => {
      expect((await put('given', authority)).status).toBeLessThan(300)
      const account = await as('POST', '/manage/accounts', {
        username: 'with-given',
        password,
        role: 'given',
      })
      expect(account.status).toBe(201)
      expect((await gateway.request('DELETE', '/manage/accounts/with-given', { token })).status).toBe(204)
    })

    test.each([
      ['without conditions', { ...held, rows: undefined, fields: undefined }],
      ['with fewer', { ...held, fields: undefined }],
      ['with other rows', { ...held, rows: [{ ...rows[0], val: 't2' }] }],
      ['with other fields', { ...held, fields: { write: ['name', 'tenantId'] } }],
      ['with a value to set', { ...held, set: { tenantId: 't2' } }],
      ['on wider paths', { ...held, regex: '/apis/.*' }],
      ['with another method', { ...held, methods: ['DELETE'] }],
    ])('one that is not held is not given: %s', async (_, authority) => {
      expect(codeOf(await put('wider', authority))).toEqual([403, 'RIGHTS_NOT_HELD'])
      await gateway.request('PUT', '/manage/roles/not-held', { body: { authorities: [authority] } })
      const account = { username: 'with-more', password, role: 'not-held' }
      expect(codeOf(await as('POST', '/manage/accounts', account))).toEqual([403, 'RIGHTS_NOT_HELD'])
    })

    test('a right with conditions opens to all what is equal, and nothing else', async () => {
      const route = { path: '/apis/ports', methods: ['GET'], scope: 'public' }
      const { fields } = held
      const put = (conditions: object) => as('PUT', '/manage/routes/open', { ...route, ...conditions })
      expect(codeOf(await put({}))).toEqual([403, 'RIGHTS_NOT_HELD'])
      expect(codeOf(await put({ rows }))).toEqual([403, 'RIGHTS_NOT_HELD'])
      expect(codeOf(await put({ rows: [], fields }))).toEqual([403, 'RIGHTS_NOT_HELD'])
      expect((await put({ rows, fields })).status).toBe(201)
      expect((await as('DELETE', '/manage/routes/open', {})).status).toBe(204)
    })

    test('a route with conditions that keeps a part of a wider one closed stays', async () => {
      const admin = (name: string, body: object) => gateway.request('PUT', `/manage/routes/${name}`, { body })
      await admin('wide', { path: '/apis/*', methods: ['GET'], scope: 'public' })
      const narrow = { path: '/apis/ports', methods: ['GET'], scope: 'public', rows }
      await admin('narrow', narrow)
      const path = '/manage/routes/narrow'
      expect(codeOf(await as('DELETE', path, {}))).toEqual([403, 'RIGHTS_NOT_HELD'])
      expect(codeOf(await as('PUT', path, { ...narrow, path: '/apis/ports/1' }))).toEqual([
        403,
        'RIGHTS_NOT_HELD',
      ])
      for (const name of ['wide', 'narrow']) await gateway.request('DELETE', `/manage/routes/${name}`)
    })

    test('where conditions name values of the account, these must be the same', async () => {
      const ofTenant = {
        regex: '/apis/ports(/.*)?',
        methods: ['GET'],
        rows: [[{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]],
        set: { tenantId: { account: 'metadata.tenant' } },
      }
      const boss = await createAccount(gateway, 'tenant-boss', [managing, ofTenant], {
        metadata: { tenant: 't1', mail: 'a' },
      })
      const other = await createAccount(gateway, 'other-tenant', [ofTenant], { metadata: { tenant: 't2' } })
      const { username } = other
      const own = await logonAs(gateway, boss)
      const call = async (method: string, path: string, body: object) => {
        const answer = await gateway.request(method, path, { token: own, body })
        const { errors = [] } = answer.body as { errors?: { pointer: string }[] }
        return [answer.status, ...errors.map(({ pointer }) => pointer)]
      }
      const make = (name: string, fields: object) =>
        call('POST', '/manage/accounts', { username: name, password, role: 'tenant-user', ...fields })
      expect(await call('POST', '/manage/roles', { name: 'tenant-user', authorities: [ofTenant] })).toEqual([
        201,
      ])
      expect(await make('peer', { metadata: { tenant: 't1' } })).toEqual([201])
      expect(await make('stranger', { metadata: { tenant: 't2' } })).toEqual([403, '/role'])
      expect(await make('stranger', {})).toEqual([403, '/role'])
      const peer = '/manage/accounts/peer'
      expect(await call('PATCH', peer, { metadata: { tenant: 't1', mail: 'b' } })).toEqual([200])
      expect(await call('PATCH', peer, { metadata: { tenant: 't2' } })).toEqual([403, '/metadata'])
      expect(await call('PATCH', peer, { metadata: { tenant: 't2' }, role: 'tenant-user' })).toEqual([
        403,
        '/role',
      ])
      expect(await call('POST', '/manage/tokens', { account: 'peer' })).toEqual([201])
      expect(await call('POST', '/manage/tokens', { account: username })).toEqual([403])
      expect(
        await call('PATCH', `/manage/accounts/${username}`, { password: 'another pass phrase' }),
      ).toEqual([403])
      // To anyone it would be that of any tenant.
      const { regex: _, ...conditioned } = ofTenant
      const route = { path: '/apis/ports', scope: 'public', ...conditioned }
      expect(await call('PUT', '/manage/routes/of-tenant', route)).toEqual([403, '/path'])
      const giver = { authorities: [], gives: ['tenant-user'] }
      expect(await call('PUT', '/manage/roles/giver', giver)).toEqual([403, '/gives/0'])

      const role = { authorities: [managing, ofTenant], gives: ['tenant-user'] }
      await gateway.request('PUT', '/manage/roles/of-tenant-boss', { body: role })
      expect(await make('stranger', { metadata: { tenant: 't2' } })).toEqual([201])
    })

    test('what an account may do by its name, it gives to no other', async () => {
      const byName = {
        regex: '/apis/.*',
        methods: ['GET'],
        rows: [{ key: 'owner', op: '==', val: { account: 'username' } }],
      }
      const own = await logonAs(gateway, await createAccount(gateway, 'owner', [managing, byName]))
      const body = { username: 'another', password, role: 'of-owner' }
      expect(codeOf(await gateway.request('POST', '/manage/accounts', { token: own, body }))).toEqual([
        403,
        'RIGHTS_NOT_HELD',
      ])
      const same = { body: { role: ['of-owner'] }, token: own }
      expect((await gateway.request('PATCH', '/manage/accounts/owner', same)).status).toBe(200)
    })

    test('whoever has a right without conditions gives it with any', async () => {
      const reader = { regex: '/apis/tenants', methods: ['GET'] }
      const all = await logonAs(gateway, await createAccount(gateway, 'all', [managing, reader]))
      const authorities = [{ ...reader, rows, set: { a: { account: 'username' } } }]
      const answer = await gateway.request('PUT', '/manage/roles/some', { token: all, body: { authorities } })
      expect(answer.status).toBe(201)
    })
  })
})
