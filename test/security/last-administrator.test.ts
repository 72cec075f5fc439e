/** R11: no one locks himself out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCases } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import type { RequestOptions } from '../support/test-gateway.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const everything = [{ regex: '.*', methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] }]
const detail =
  'No administrator would be left who may change roles and accounts. Create another one first: an enabled account that does not expire, with an API key that does not expire.'
const refused = { status: 409, body: expect.objectContaining({ code: 'LAST_ADMINISTRATOR', detail }) }

describe.each(products)('$name', (product) => {
  let nodes: TwoGateways

  beforeAll(async () => {
    nodes = await startTwoGateways(product)
  })
  afterAll(() => nodes.close())

  async function ask(method: string, path: string, options: RequestOptions = {}) {
    const { status, body } = await nodes.first.request(method, path, options)
    return { status, body }
  }
  const adminRole = (authorities: readonly object[]) =>
    ask('PUT', '/manage/roles/admin', { body: { authorities } })

  test('R11: the last administrator stays what he is', async () => {
    await ask('PUT', '/manage/roles/reader', { body: { authorities: [{ regex: '/x', methods: ['GET'] }] } })
    const change = (body: object) => ask('PATCH', '/manage/accounts/admin', { body })
    expect(await ask('DELETE', '/manage/accounts/admin')).toEqual(refused)
    expect(await change({ role: 'reader' })).toEqual(refused)
    expect(await change({ expire_days: 36_500 })).toEqual(refused)
    expect(await change({ disabled: true })).toEqual(refused)
    expect(await adminRole([])).toEqual(refused)
    expect(await adminRole([{ regex: '/nothing', methods: ['GET'] }])).toEqual(refused)
    expect(await adminRole([{ regex: '/manage/.*', methods: ['GET', 'POST', 'PUT', 'PATCH'] }])).toEqual(
      refused,
    )
    expect(await adminRole([{ regex: '/manage/(accounts|roles)(/[^/]*[^z])?', methods }])).toEqual(refused)
    expect(await ask('GET', '/manage/roles/admin')).toMatchObject({
      status: 200,
      body: { authorities: everything },
    })
    expect(await ask('GET', '/manage/accounts/admin')).toMatchObject({
      status: 200,
      body: { role: 'admin', expire: null },
    })
  })

  test('R11: accounts that end, are disabled, or may do a part only, do not count', async () => {
    await createAccount(nodes.first, 'ending', everything, { expire_days: 30 })
    await createAccount(nodes.first, 'disabled', everything, { disabled: true })
    await createAccount(nodes.first, 'of-accounts', [{ regex: '/manage/accounts(/.*)?', methods }])
    expect(await ask('DELETE', '/manage/accounts/admin')).toEqual(refused)
    for (const name of ['ending', 'disabled', 'of-accounts'])
      expect((await ask('DELETE', `/manage/accounts/${name}`)).status).toBe(204)
  })

  test('R11: the last administrator keeps an API key to log on with', async () => {
    const keys = '/manage/accounts/admin/api-keys'
    expect(await ask('DELETE', `${keys}/default`)).toEqual(refused)
    expect((await ask('POST', keys, { body: { name: 'ending', expire_days: 30 } })).status).toBe(201)
    expect(await ask('DELETE', `${keys}/default`)).toEqual(refused)
    // Another administrator who could not log on for long does not count either.
    const other = await createAccount(nodes.first, 'keyless', everything)
    const token = await logonAs(nodes.first, other)
    expect((await ask('DELETE', '/manage/accounts/keyless/api-keys/default', { token })).status).toBe(204)
    expect(await ask('DELETE', `${keys}/default`)).toEqual(refused)
    expect(await ask('DELETE', '/manage/accounts/admin', { token })).toEqual(refused)
    expect((await ask('POST', keys, { body: { name: 'second' } })).status).toBe(201)
    expect((await ask('DELETE', `${keys}/second`)).status).toBe(204)
    expect((await ask('DELETE', `${keys}/ending`)).status).toBe(204)
    expect((await ask('POST', '/manage/accounts/keyless/api-key')).status).toBe(201)
    expect((await ask('DELETE', `${keys}/default`)).status).toBe(204)
    expect((await ask('POST', '/manage/accounts/admin/api-key', { token })).status).toBe(201)
    expect((await ask('DELETE', '/manage/accounts/keyless')).status).toBe(204)
  })

  test('R11: what administers may be in several roles', async () => {
    const part = (regex: string) => ({ body: { authorities: [{ regex, methods }] } })
    await ask('PUT', '/manage/roles/some', part('/manage/accounts(/.*)?'))
    await ask('PUT', '/manage/roles/others', part('/manage/roles(/.*)?'))
    expect(
      (await ask('PATCH', '/manage/accounts/admin', { body: { role: ['admin', 'some', 'others'] } })).status,
    ).toBe(200)
    const narrow = [{ regex: '/(?:apis/.*|manage/roles/admin)', methods }]
    expect((await adminRole(narrow)).status).toBe(200)
    expect(await ask('PUT', '/manage/roles/some', part('/manage/accounts'))).toEqual(refused)
    expect(await ask('PATCH', '/manage/accounts/admin', { body: { role: ['admin', 'others'] } })).toEqual(
      refused,
    )
  })

  test('R11: of two administrators who take each other away at once, on two nodes, one stays', async () => {
    for (let round = 0; round < (allCases ? 8 : 2); round += 1) {
      const fresh = await startTwoGateways(product)
      try {
        const other = await createAccount(fresh.first, 'other', everything)
        const token = await logonAs(fresh.first, other)
        const remove = (url: string, as: string, username: string) =>
          fetch(`${url}/manage/accounts/${username}`, {
            method: 'DELETE',
            headers: { 'x-xaas-auth-token': as },
          })
        const deprive = (url: string, as: string) =>
          fetch(`${url}/manage/accounts/other`, {
            method: 'PATCH',
            headers: { 'x-xaas-auth-token': as, 'content-type': 'application/json' },
            body: JSON.stringify({ expire_days: 1 }),
          })
        const answers = await Promise.all([
          remove(fresh.first.url, token, 'admin'),
          round % 2 === 0
            ? remove(fresh.second.address, fresh.first.token, 'other')
            : deprive(fresh.second.address, fresh.first.token),
        ])
        const statuses = answers.map(({ status }) => status).sort()
        expect(statuses[0]).toBeLessThan(300)
        expect([401, 403, 409]).toContain(statuses[1])
      } finally {
        await fresh.close()
      }
    }
  })
})
