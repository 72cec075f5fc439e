/** The second factor of accounts: codes of an authenticator app, and recovery codes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resetAccount } from '../../src/access/administration/reset-account.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { openStore } from '../../src/store/store.ts'
import { cheapPasswords } from '../support/cheap-passwords.ts'
import { describeOn } from '../support/describe-on.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs, type TestAccount, tryLogon } from '../support/test-accounts.ts'
import type { Answer, TestGateway } from '../support/test-gateway.ts'
import { startNode, startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const minute = 60_000
/** Each test begins in another hour, at the start of a time step. */
let now = Math.ceil(Date.now() / minute) * minute
const clock = () => new Date(now)
const random = { randomBytes: (size: number) => crypto.getRandomValues(new Uint8Array(size)) }

interface Person extends TestAccount {
  readonly token: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

test('the codes of these tests are those of RFC 6238', () => {
  // Its table has eight digits, of which these are the last six.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const codes = [59, 1_111_111_109, 1_234_567_890, 20_000_000_000].map((seconds) =>
    oneTimeCode(secret, new Date(seconds * 1000)),
  )
  expect(codes).toEqual(['287082', '081804', '005924', '353130'])
})

describeOn(anyProduct('SQLite'), (product) => {
  let gateway: TestGateway
  let other: TestGateway
  let nodes: TwoGateways
  /** A node on which a second factor is required. */
  let strictNode: Gateway
  let strict: TestGateway
  let count = 0

  beforeAll(async () => {
    const settings = {
      now: clock,
      tokenTtlSeconds: 30 * 86_400,
      passwordCost: cheapPasswords,
      pageLogon: true,
    }
    nodes = await startTwoGateways(product, undefined, settings)
    strictNode = await startNode(nodes.options, { ...settings, requiresSecondFactor: true })
    gateway = nodes.first
    other = gateway.at(nodes.second)
    strict = gateway.at(strictNode)
  })
  afterAll(async () => {
    await strictNode?.close()
    await nodes?.close()
  })
  beforeEach(() => {
    now += 60 * minute
  })

  /** A logon that a service checks: what the form of the web front and other pages do. */
  const check = (body: object, at = gateway): Promise<Answer> =>
    at.request('POST', '/manage/logon-checks', { body: { address: '192.0.2.1', ...body } })
  const own = (person: { readonly token: string }, method: string, body?: object, path = '') =>
    gateway.request(method, `/whoami/second-factor${path}`, {
      token: person.token,
      ...(body === undefined ? {} : { body }),
    })
  const codeOf = ({ secret }: { readonly secret: string }, steps = 0) =>
    oneTimeCode(secret, new Date(now + steps * 30_000))
  const codes = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    return [status, (body as { readonly code?: string }).code]
  }

  async function person(): Promise<Omit<Person, 'secret' | 'recoveryCodes'>> {
    count += 1
    const account = await createAccount(gateway, `ada${count}`, [])
    return { ...account, token: await logonAs(gateway, account) }
  }

  /** An account whose second factor is active; the code of the current step is used. */
  async function personWithFactor(): Promise<Person> {
    const account = await person()
    const begun = await own(account, 'POST', { password: account.password })
    const { secret } = begun.body as { readonly secret: string }
    const active = await own(account, 'PATCH', { code: codeOf({ secret }) })
    const { recovery_codes } = active.body as { readonly recovery_codes: readonly string[] }
    return { ...account, secret, recoveryCodes: recovery_codes }
  }

  test('is asked for on the pages of the gateway, too', async () => {
    const { username, password, secret } = await personWithFactor()
    const logOn = (body: object) =>
      gateway.request('POST', '/logon/browser', {
        token: null,
        body: { username, ...body },
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    const asked = await logOn({ password })
    const { challenge } = asked.body as { readonly challenge: string }
    expect([asked.status, asked.body]).toEqual([
      401,
      expect.objectContaining({ code: 'SECOND_FACTOR_NEEDED', challenge: expect.any(String) }),
    ])
    expect(asked.headers.getSetCookie()).toEqual([])
    expect(await codes(logOn({ challenge }))).toEqual([401, 'SECOND_FACTOR_NEEDED'])
    expect(await codes(logOn({ challenge, code: '000000x' }))).toEqual([401, 'LOGON_REFUSED'])
    expect(await codes(logOn({ code: codeOf({ secret }, 1) }))).toEqual([422, 'DOCUMENT_INVALID'])
    expect((await logOn({ challenge, code: codeOf({ secret }, 1) })).status).toBe(200)
  })

  test('is set up with the password, and active after a right code', async () => {
    const ada = await person()
    const { username, password } = ada
    const none = { active: false, created: null, recovery_codes: 0 }
    expect((await own(ada, 'GET')).body).toEqual(none)
    expect(await codes(own(ada, 'POST', { password: 'wrong password' }))).toEqual([422, 'PASSWORD_WRONG'])
    expect(await codes(own(ada, 'PATCH', { code: '123456' }))).toEqual([409, 'SECOND_FACTOR_STATE'])
    const { status, body } = await own(ada, 'POST', { password })
    const { secret } = body as { readonly secret: string }
    expect([status, body]).toEqual([
      201,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: `otpauth://totp/Gatehouse:${username}?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
      },
    ])
    // Not asked for yet.
    expect((await check({ username, password })).status).toBe(200)
    expect((await own(ada, 'GET')).body).toEqual(none)
    const wrong = await own(ada, 'PATCH', { code: codeOf({ secret }, 2) })
    expect([wrong.status, (wrong.body as { errors: unknown }).errors]).toEqual([
      422,
      [{ pointer: '/code', detail: expect.stringContaining('Wait for the next one.') }],
    ])
    const active = await own(ada, 'PATCH', { code: codeOf({ secret }) })
    const { recovery_codes } = active.body as { readonly recovery_codes: readonly string[] }
    expect(active.status).toBe(200)
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes) expect(code).toMatch(/^\d{4}( \d{4}){4}$/)
    expect((await own(ada, 'GET')).body).toEqual({
      active: true,
      created: expect.stringMatching(/^\d{4}-/),
      recovery_codes: 10,
    })
    expect(await codes(own(ada, 'POST', { password }))).toEqual([409, 'SECOND_FACTOR_STATE'])
    expect(await codes(own(ada, 'PATCH', { code: codeOf({ secret }, 1) }))).toEqual([
      409,
      'SECOND_FACTOR_STATE',
    ])
    const shown = await gateway.request('GET', `/manage/accounts/${username}`)
    expect(shown.body).toMatchObject({ username, second_factor: true })
    expect(JSON.stringify(shown.body)).not.toContain(secret)
  })

  test('is asked for after the right password, and the challenge replaces the password', async () => {
    const ada = await personWithFactor()
    const { username, password } = ada
    const asked = await check({ username, password })
    const { challenge } = asked.body as { readonly challenge: string }
    expect([asked.status, asked.body]).toEqual([
      401,
      {
        type: '/docs/guide/problems/second-factor-needed',
        title: 'The account has a second factor, and its code is needed.',
        status: 401,
        code: 'SECOND_FACTOR_NEEDED',
        detail:
          'Send the code of the authenticator app, or a recovery code, as "code", and "challenge" in place of the password.',
        requestId: expect.any(String),
        challenge: expect.stringMatching(/^\d+\.[\w-]{43}$/),
      },
    ])
    expect(await codes(check({ username, password: 'wrong password' }))).toEqual([401, 'LOGON_REFUSED'])
    now += minute
    const done = await check({ username, challenge, code: codeOf(ada) })
    expect([done.status, (done.body as { username: string }).username]).toEqual([200, username])
    now += minute
    // A program may send everything at once.
    expect((await check({ username, password, code: codeOf(ada) })).status).toBe(200)
  })

  test('a code counts once, and a minute and a half', async () => {
    const ada = await personWithFactor()
    const { username, password } = ada
    now += 10 * minute
    const tryCode = (code: string) => codes(check({ username, password, code }))
    expect(await tryCode(codeOf(ada, -2))).toEqual([401, 'LOGON_REFUSED'])
    expect(await tryCode(codeOf(ada, 2))).toEqual([401, 'LOGON_REFUSED'])
    expect(await tryCode(codeOf(ada, -1))).toEqual([200, undefined])
    expect(await tryCode(codeOf(ada, -1))).toEqual([401, 'LOGON_REFUSED'])
    expect(await tryCode(codeOf(ada, 1))).toEqual([200, undefined])
    // One before a code that was used.
    expect(await tryCode(codeOf(ada))).toEqual([401, 'LOGON_REFUSED'])
    for (const code of ['', ' ', '12345', '1234567', 'abcdef', '１２３４５６', 'x'.repeat(100)]) {
      expect((await check({ username, password, code })).status).toBe(401)
    }
    expect((await check({ username, password, code: 'x'.repeat(101) })).status).toBe(422)
    now += minute
    const code = codeOf(ada).replace(/(...)/, '$1 ')
    expect(await tryCode(code)).toEqual([200, undefined])
  })

  test('of many who send one code at once, one comes in', async () => {
    const ada = await personWithFactor()
    const { username, password } = ada
    now += minute
    const tries = await Promise.all(
      ['1', '2', '3', '4', '5', '6'].map((last, index) =>
        check(
          { username, password, code: codeOf(ada), address: `192.0.2.${last}` },
          index % 2 ? other : gateway,
        ),
      ),
    )
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401])
    const [recovery = ''] = ada.recoveryCodes
    const recovered = await Promise.all(
      ['7', '8', '9'].map((last) =>
        check({ username, password, code: recovery, address: `192.0.2.${last}` }),
      ),
    )
    expect(recovered.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  })

  test('a recovery code works once, with or without blanks', async () => {
    const ada = await personWithFactor()
    const { username, password, recoveryCodes } = ada
    const [first = '', second = ''] = recoveryCodes
    expect(await codes(check({ username, password, code: first }))).toEqual([200, undefined])
    expect(await codes(check({ username, password, code: first }))).toEqual([401, 'LOGON_REFUSED'])
    expect(await codes(check({ username, password, code: second.replaceAll(' ', '-') }))).toEqual([
      200,
      undefined,
    ])
    expect((await own(ada, 'GET')).body).toMatchObject({ recovery_codes: 8 })
    now += minute
    const renewed = await own(ada, 'POST', { password, code: codeOf(ada) }, '/recovery-codes')
    expect(renewed.status).toBe(201)
    const [, , third = ''] = recoveryCodes
    expect(await codes(check({ username, password, code: third }))).toEqual([401, 'LOGON_REFUSED'])
    const [fresh = ''] = (renewed.body as { readonly recovery_codes: readonly string[] }).recovery_codes
    expect(await codes(check({ username, password, code: fresh }))).toEqual([200, undefined])
  })

  test('wrong codes count as wrong passwords, and then there are pauses for every address', async () => {
    const ada = await personWithFactor()
    const { username, password, token } = ada
    const from = (address: string, code: string) => codes(check({ username, password, code, address }))
    for (let index = 0; index < 10; index++) {
      expect(await from('192.0.2.9', '000000')).toEqual([401, 'LOGON_REFUSED'])
    }
    expect((await check({ username, password, address: '192.0.2.9' })).status).toBe(429)
    const right = codeOf(ada, 1)
    const paused = await check({ username, password, code: right, address: '192.0.2.10' })
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, '60'])
    // A pause is no wrong code.
    now += minute
    expect(await from('192.0.2.10', '000000')).toEqual([401, 'LOGON_REFUSED'])
    expect(
      (await check({ username, password, code: codeOf(ada), address: '192.0.2.11' })).headers.get(
        'retry-after',
      ),
    ).toBe('120')
    expect(await codes(own({ token }, 'DELETE', { password, code: codeOf(ada) }))).toEqual([
      429,
      'LOGON_THROTTLED',
    ])
    now += 2 * minute
    expect(await from('192.0.2.10', codeOf(ada))).toEqual([200, undefined])
    now += minute
    expect(await from('192.0.2.10', '000000')).toEqual([401, 'LOGON_REFUSED'])
    expect(await from('192.0.2.10', codeOf(ada))).toEqual([200, undefined])
  })

  test('a challenge is good for its account, its password and ten minutes', async () => {
    const [ada, ben] = [await personWithFactor(), await personWithFactor()]
    const challengeOf = async ({ username, password }: Person) =>
      ((await check({ username, password })).body as { readonly challenge: string }).challenge
    const challenge = await challengeOf(ada)
    const { username } = ada
    now += minute
    const refused = [401, 'LOGON_REFUSED']
    expect(await codes(check({ username: ben.username, challenge, code: codeOf(ben) }))).toEqual(refused)
    const forged = `${now + 5 * minute}.${challenge.split('.')[1]}`
    expect(await codes(check({ username, challenge: forged, code: codeOf(ada) }))).toEqual(refused)
    for (const text of ['', 'x', '1.', `${now}.${'a'.repeat(43)}`]) {
      expect(await codes(check({ username, challenge: text, code: codeOf(ada) }))).toEqual(refused)
      expect(await codes(check({ username: 'nobody', challenge: text, code: '1' }))).toEqual(refused)
    }
    expect(await codes(check({ username, challenge }))).toEqual([401, 'SECOND_FACTOR_NEEDED'])
    now += 9 * minute
    expect(await codes(check({ username, challenge, code: codeOf(ada) }))).toEqual(refused)
    now += minute
    const next = await challengeOf(ada)
    await gateway.request('PATCH', `/manage/accounts/${username}`, {
      body: { password: 'another pass phrase' },
    })
    expect(await codes(check({ username, challenge: next, code: codeOf(ada) }))).toEqual(refused)
    expect(await codes(check({ username }))).toEqual([422, 'DOCUMENT_INVALID'])
  })

  test('a logon with the API key, a second secret, goes on without a code', async () => {
    const ada = await personWithFactor()
    const { username, password, apiKey } = ada
    expect((await tryLogon(gateway, ada)).status).toBe(200)
    expect((await check({ username, password, api_key: apiKey })).status).toBe(200)
    expect((await check({ username, password, api_key: 'ghk_other' })).status).toBe(401)
  })

  test('where it is required, a logon that is checked sets it up', async () => {
    const ada = await person()
    const { username, password } = ada
    expect((await tryLogon(strict, ada)).status).toBe(200)
    expect(await codes(check({ username, password: 'wrong password' }, strict))).toEqual([
      401,
      'LOGON_REFUSED',
    ])
    expect(await codes(check({ username, password, code: '123456' }, strict))).toEqual([401, 'LOGON_REFUSED'])
    type SetUp = { readonly challenge: string; readonly secret: string; readonly uri: string }
    const setUp = async () => {
      const { status, body } = await check({ username, password }, strict)
      expect([status, body]).toMatchObject([401, { code: 'SECOND_FACTOR_REQUIRED' }])
      return body as SetUp
    }
    const seen = await setUp()
    const { challenge, secret, uri } = await setUp()
    expect(uri).toContain(`secret=${secret}`)
    // One that someone else may have seen is not activated.
    expect(secret).not.toBe(seen.secret)
    expect(await codes(check({ username, challenge, code: codeOf(seen) }, strict))).toEqual([
      401,
      'LOGON_REFUSED',
    ])
    const done = await check({ username, challenge, code: codeOf({ secret }) }, strict)
    expect([done.status, (done.body as { recovery_codes: unknown[] }).recovery_codes.length]).toEqual([
      200, 10,
    ])
    expect(await codes(check({ username, password }, strict))).toEqual([401, 'SECOND_FACTOR_NEEDED'])
    const again = await check({ username, challenge, code: codeOf({ secret }) }, strict)
    expect(again.status).toBe(401)
    now += minute
    const next = await check({ username, password, code: codeOf({ secret }) }, strict)
    expect([next.status, Object.keys(next.body as object)]).toEqual([
      200,
      expect.not.arrayContaining(['recovery_codes']),
    ])
    const { body } = await gateway.request('GET', '/manage/audit?limit=5')
    expect(JSON.stringify(body)).toContain('second factor: activated')
  })

  test('of many logons that set it up at once, none fails', async () => {
    const ada = await person()
    const { username, password } = ada
    const all = await Promise.all(
      ['1', '2', '3', '4', '5'].map((last) =>
        codes(check({ username, password, address: `192.0.2.${last}` }, strict)),
      ),
    )
    expect(all).toEqual(Array.from({ length: 5 }, () => [401, 'SECOND_FACTOR_REQUIRED']))
    expect((await own(ada, 'GET')).body).toMatchObject({ active: false })
    expect((await check({ username, password })).status).toBe(200)
  })

  test('its owner turns it off with password and code', async () => {
    const ada = await personWithFactor()
    const { username, password } = ada
    now += minute
    const code = codeOf(ada)
    expect(await codes(own(ada, 'DELETE', { password }))).toEqual([422, 'DOCUMENT_INVALID'])
    expect(await codes(own(ada, 'DELETE', { password: 'wrong password', code }))).toEqual([
      422,
      'PASSWORD_WRONG',
    ])
    expect(await codes(own(ada, 'DELETE', { password, code: '000000' }))).toEqual([422, 'CODE_WRONG'])
    expect((await own(ada, 'DELETE', { password, code })).status).toBe(204)
    expect(await codes(own(ada, 'DELETE', { password, code }))).toEqual([409, 'SECOND_FACTOR_STATE'])
    expect((await check({ username, password })).status).toBe(200)
  })

  test('administrators remove it, by the rights that a new password needs', async () => {
    const ada = await personWithFactor()
    const { username, password } = ada
    const path = `/manage/accounts/${username}/second-factor`
    const helper = await createAccount(gateway, `helper${count}`, [
      { regex: '/manage/accounts/[^/]+/second-factor', methods: ['DELETE'] },
    ])
    const token = await logonAs(gateway, helper)
    await gateway.request('PUT', `/manage/roles/of-${username}`, {
      body: { authorities: [{ regex: '/graphql', methods: ['GET'] }] },
    })
    expect(await codes(gateway.request('DELETE', path, { token }))).toEqual([403, 'RIGHTS_NOT_HELD'])
    expect((await gateway.request('DELETE', path, { token: ada.token })).status).toBe(401)
    expect((await gateway.request('DELETE', path)).status).toBe(204)
    expect(await codes(gateway.request('DELETE', path))).toEqual([404, 'RECORD_NOT_FOUND'])
    expect((await check({ username, password })).status).toBe(200)
    const { body } = await gateway.request('GET', '/manage/audit?limit=10')
    const entries = body as readonly { readonly name: string; readonly detail: string }[]
    const details = entries.filter(({ name }) => name === username).map(({ detail }) => detail)
    expect(details).toContain('second factor: removed')
    expect(JSON.stringify(body)).not.toContain(ada.secret)
  })

  test('it ends with its account, and by account reset', async () => {
    const [ada, ben] = [await personWithFactor(), await personWithFactor()]
    expect((await gateway.request('DELETE', `/manage/accounts/${ada.username}`)).status).toBe(204)
    const again = await createAccount(gateway, ada.username, [])
    expect((await check(pick(again))).status).toBe(200)
    const database = await openDatabase(nodes.options)
    const store = await openStore(database)
    const reset = await resetAccount(
      { store, now: clock, ...random },
      { username: ben.username, role: undefined },
    )
    await database.driver.close()
    expect((await check(pick(reset))).status).toBe(200)
  })
})

const pick = ({ username, password }: { readonly username: string; readonly password: string }) => ({
  username,
  password,
})
