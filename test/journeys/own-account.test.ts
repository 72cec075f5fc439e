/** What an account may do with itself, whatever its roles allow: `/whoami/password` and `/whoami/api-keys`. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs, type TestAccount, tryLogon } from '../support/test-accounts.ts'
import type { TestGateway } from '../support/test-gateway.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const password = 'a long pass phrase'
const next = 'another pass phrase'
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
const prefix = expect.stringMatching(/^ghk_[\w-]{4}$/)

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let nodes: TwoGateways
  let gateway: TestGateway
  let other: TestGateway

  beforeAll(async () => {
    nodes = await startTwoGateways(product)
    gateway = nodes.first
    other = gateway.at(nodes.second)
  })
  afterAll(() => nodes.close())

  const whoami = async (token: string) => {
    const answers = [gateway, other].map((node) => node.request('GET', '/whoami', { token }))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const change = (token: string | null, body: object) =>
    gateway.request('PATCH', '/whoami/password', { token, body })
  const audit = async (limit: number) => (await gateway.request('GET', `/manage/audit?limit=${limit}`)).body

  test('a new password ends the other tokens of the account on every node, and leaves the one that asks', async () => {
    const eve = await createAccount(gateway, 'eve', [], { expire_days: 30 })
    const [asking, another] = [await logonAs(gateway, eve), await logonAs(gateway, eve)]
    expect([await whoami(asking), await whoami(another)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    const changed = await change(asking, { password, new_password: next })
    expect([changed.status, changed.body]).toEqual([204, ''])
    expect(await whoami(asking)).toEqual([200, 200])
    await expect.poll(() => whoami(another)).toEqual([401, 401])
    expect((await tryLogon(other, eve)).status).toBe(401)
    expect((await tryLogon(other, { ...eve, password: next })).body).toMatchObject({ limited: true })
    expect(await audit(1)).toMatchObject([
      { account: 'eve', action: 'changed', record: 'account', name: 'eve', detail: 'password' },
    ])
  })

  test('the old password is needed, the new one has rules, and only the own one can be changed', async () => {
    const ada = await createAccount(gateway, 'ada', [])
    const token = await logonAs(gateway, ada)
    const refusals = await Promise.all([
      change(token, { password: 'a wrong pass phrase', new_password: next }),
      change(token, { password, new_password: 'password123' }),
      change(token, { password, new_password: password }),
      change(token, { password, new_password: next, username: 'admin' }),
      change(token, {}),
      change(null, { password, new_password: next }),
      change(ada.apiKey, { password, new_password: next }),
    ])
    expect(
      refusals.map(({ status, body }) => {
        const { code, errors } = body as { code: string; errors?: readonly { pointer: string }[] }
        return [status, code, (errors ?? []).map(({ pointer }) => pointer)]
      }),
    ).toEqual([
      [422, 'PASSWORD_WRONG', ['/password']],
      [422, 'DOCUMENT_INVALID', ['/new_password']],
      [422, 'DOCUMENT_INVALID', ['/new_password']],
      [422, 'DOCUMENT_INVALID', ['/username']],
      [422, 'DOCUMENT_INVALID', ['/password', '/new_password']],
      [401, 'TOKEN_MISSING', []],
      [401, 'TOKEN_INVALID', []],
    ])
    expect((await tryLogon(gateway, ada)).status).toBe(200)
  })

  test('wrong passwords count like failed logons: the eleventh is refused, right or wrong', async () => {
    const robin = await createAccount(gateway, 'robin', [])
    const token = await logonAs(gateway, robin)
    const wrong = { password: 'a wrong pass phrase', new_password: next }
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(token, wrong)))
    const codes = answers.map(({ body }) => (body as { code: string }).code).toSorted()
    expect(codes).toEqual([
      ...Array.from({ length: 10 }, () => 'LOGON_THROTTLED'),
      ...Array.from({ length: 10 }, () => 'PASSWORD_WRONG'),
    ])
    const right = await change(token, { password, new_password: next })
    expect([right.status, Number(right.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await tryLogon(other, robin)).status).toBe(429)
  })

  test('of many changes at once one wins', async () => {
    const account = await createAccount(gateway, 'sam', [])
    const token = await logonAs(gateway, account)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        change(token, { password, new_password: `${next} ${index}` }).then(({ status }) => ({
          index,
          status,
        })),
      ),
    )
    const winners = answers.filter(({ status }) => status === 204)
    expect(winners).toHaveLength(1)
    const chosen = { ...account, password: `${next} ${winners[0]?.index}` }
    expect((await tryLogon(gateway, chosen)).status).toBe(200)
  })

  test('an account makes, recognises and ends its own keys, with its password', async () => {
    const kim: TestAccount = await createAccount(gateway, 'kim', [])
    const token = await logonAs(gateway, kim)
    const keys = (method: string, body?: object) =>
      gateway.request(method, '/whoami/api-keys', { token, ...(body && { body }) })
    const made = await keys('POST', { password, name: 'laptop', expire_days: 90 })
    const laptop = { name: 'laptop', prefix, created: moment, expires_at: moment, last_used: null }
    expect([made.status, made.body]).toEqual([
      201,
      { ...laptop, api_key: expect.stringMatching(/^ghk_[\w-]{43}$/) },
    ])
    const { api_key: apiKey, prefix: start } = made.body as { api_key: string; prefix: string }
    expect(apiKey.startsWith(start)).toBe(true)
    expect((await tryLogon(other, { ...kim, apiKey })).status).toBe(200)
    expect((await keys('GET')).body).toEqual([
      { name: 'default', prefix, created: moment, expires_at: null, last_used: moment },
      { ...laptop, last_used: moment },
    ])

    const refused = await Promise.all([
      keys('POST', { password, name: 'laptop' }),
      keys('POST', { password: 'a wrong pass phrase', name: 'phone' }),
      keys('POST', { name: 'phone' }),
      keys('DELETE', { password, name: 'none' }),
      keys('DELETE', { password: 'a wrong pass phrase', name: 'default' }),
      keys('DELETE'),
    ])
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual([
      [409, 'NAME_TAKEN'],
      [422, 'PASSWORD_WRONG'],
      [422, 'DOCUMENT_INVALID'],
      [404, 'RECORD_NOT_FOUND'],
      [422, 'PASSWORD_WRONG'],
      [422, 'DOCUMENT_INVALID'],
    ])
    expect((await keys('DELETE', { password, name: 'default' })).status).toBe(204)
    expect((await tryLogon(other, kim)).status).toBe(401)
    expect(await whoami(token)).toEqual([200, 200])
    const entry = { account: 'kim', record: 'api_key', name: 'kim' }
    expect(await audit(2)).toMatchObject([
      { ...entry, action: 'deleted', detail: 'default' },
      { ...entry, action: 'created', detail: 'laptop' },
    ])
  })

  test('the last administrator keeps a key, and an account has a hundred at most', async () => {
    const end = { password: gateway.password, name: 'default' }
    const last = await gateway.request('DELETE', '/whoami/api-keys', { body: end })
    expect([last.status, (last.body as { code: string }).code]).toEqual([409, 'LAST_ADMINISTRATOR'])

    await createAccount(gateway, 'many', [])
    const create = (index: number) =>
      gateway.request('POST', '/manage/accounts/many/api-keys', { body: { name: `key ${index}` } })
    for (let index = 1; index < 100; index += 1) expect((await create(index)).status).toBe(201)
    const beyond = await create(100)
    expect([beyond.status, beyond.body]).toMatchObject([
      409,
      {
        code: 'TOO_MANY_API_KEYS',
        detail: 'An account has at most 100 API keys. Delete one that is no longer used first.',
      },
    ])
  })

  test('changes are bounded, and end with the account', async () => {
    const busy = await createAccount(gateway, 'busy', [])
    const token = await logonAs(gateway, busy)
    const end = () =>
      gateway.request('DELETE', '/whoami/api-keys', { token, body: { password, name: 'none' } })
    for (let count = 0; count < 30; count += 1) expect((await end()).status).toBe(404)
    const beyond = await end()
    expect([beyond.status, (beyond.body as { code: string }).code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    await gateway.request('PATCH', '/manage/accounts/busy', { body: { disabled: true } })
    expect((await end()).status).toBe(401)
    expect((await gateway.request('GET', '/whoami/api-keys', { token })).status).toBe(401)
  })

  test('an account ends tokens of its own by their hashes, and no one else’s', async () => {
    const [lee, max] = [await createAccount(gateway, 'lee', []), await createAccount(gateway, 'max', [])]
    const [asking, gone, others] = [
      await logonAs(gateway, lee),
      await logonAs(gateway, lee),
      await logonAs(gateway, max),
    ]
    const end = (path: string, hash: string, token: string) =>
      gateway.request('DELETE', `${path}hash=${encodeURIComponent(hash)}`, { token })
    const both = [hashOf(gone), hashOf(others)].join(',')
    expect((await end('/whoami/tokens?', both, asking)).body).toEqual({ ended: 1 })
    expect([await whoami(asking), await whoami(others)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    await expect.poll(() => whoami(gone)).toEqual([401, 401])

    const refused = await Promise.all([
      gateway.request('DELETE', '/whoami/tokens', { token: asking }),
      end('/whoami/tokens?', 'x', asking),
      end('/manage/tokens?', hashOf(others), gateway.token),
      end('/manage/tokens?account=max&', hashOf(others), asking),
    ])
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 401])
    const byAdmin = await end('/manage/tokens?account=max&', hashOf(others), gateway.token)
    expect(byAdmin.body).toEqual({ ended: 1 })
    await expect.poll(() => whoami(others)).toEqual([401, 401])
  })

  test('an account asks what it may call itself', async () => {
    const authorities = [{ regex: '/apis/ports', methods: ['GET'] }]
    const token = await logonAs(gateway, await createAccount(gateway, 'asker', authorities))
    const ask = (query: string) => gateway.request('GET', `/whoami/explain-access?${query}`, { token })
    expect((await ask('method=GET&path=/apis/ports')).body).toMatchObject({
      allowed: true,
      reason: 'The role "of-asker" allows it by /apis/ports.',
    })
    expect((await ask('method=DELETE&path=/manage/accounts/admin')).body).toMatchObject({ allowed: false })
    expect((await ask('account=admin&method=GET&path=/apis/ports')).status).toBe(400)
  })
})
