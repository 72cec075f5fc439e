/** Passkeys of accounts: registering them, and logging on with one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resetAccount } from '../../src/access/administration/reset-account.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { openStore } from '../../src/store/store.ts'
import { cheapPasswords } from '../support/cheap-passwords.ts'
import { describeOn } from '../support/describe-on.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { anyProduct } from '../support/products.ts'
import { type Oddities, type PasskeyOptions, SoftwarePasskey } from '../support/software-authenticator.ts'
import { createAccount, logonAs, type TestAccount } from '../support/test-accounts.ts'
import type { Answer, TestGateway } from '../support/test-gateway.ts'
import { startNode, startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const minute = 60_000
const origin = 'https://app.example.org'
const relyingParty = { id: 'example.org', origins: [origin, 'https://example.org'] }
const accepted = [200, undefined]
const refused = [401, 'PASSKEY_REFUSED']
let now = Math.ceil(Date.now() / minute) * minute
const clock = () => new Date(now)

interface Person extends TestAccount {
  readonly token: string
}

describeOn(anyProduct('SQLite'), (product) => {
  let gateway: TestGateway
  let other: TestGateway
  let nodes: TwoGateways
  /** A node on which a second factor is required. */
  let strictNode: Gateway
  let count = 0

  beforeAll(async () => {
    const settings = {
      now: clock,
      tokenTtlSeconds: 30 * 86_400,
      passwordCost: cheapPasswords,
      pageLogon: true,
      relyingParty,
    }
    nodes = await startTwoGateways(product, undefined, settings)
    strictNode = await startNode(nodes.options, { ...settings, requiresSecondFactor: true })
    gateway = nodes.first
    other = gateway.at(nodes.second)
  })
  afterAll(async () => {
    await strictNode?.close()
    await nodes?.close()
  })
  beforeEach(() => {
    now += 60 * minute
  })

  async function person(): Promise<Person> {
    count += 1
    const account = await createAccount(gateway, `ada${count}`, [])
    return { ...account, token: await logonAs(gateway, account) }
  }
  const own = ({ token }: Person, method: string, path = '', body?: object, at = gateway) =>
    at.request(method, `/whoami/passkeys${path}`, { token, ...(body === undefined ? {} : { body }) })
  const codeOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    return [status, (body as { readonly code?: string } | null)?.code]
  }
  /** What the audit says of an account's passkeys, newest first. */
  async function auditOf({ username }: Person) {
    const { body } = await gateway.request('GET', `/manage/audit?name=${username}`)
    const entries = body as readonly { readonly detail: string; readonly changes: object }[]
    return entries
      .filter(({ detail }) => detail.startsWith('passkey'))
      .map(({ detail, changes }) => [detail, changes])
  }
  const detailOf = ({ body }: Answer) => (body as { readonly detail?: string }).detail

  async function begin(ada: Person, more: object = {}): Promise<PasskeyOptions> {
    const { status, body } = await own(ada, 'POST', '/options', { password: ada.password, ...more })
    expect(status).toBe(200)
    return body as PasskeyOptions
  }
  async function register(ada: Person, passkey = new SoftwarePasskey(origin), name = 'Laptop') {
    const credential = passkey.create(await begin(ada))
    const { status, body } = await own(ada, 'POST', '', { name, credential })
    expect([status, body]).toEqual([201, expect.objectContaining({ name })])
    return { passkey, id: (body as { readonly id: string }).id }
  }
  async function options(at = gateway): Promise<PasskeyOptions> {
    const { status, body } = await at.request('GET', '/logon/passkey', { token: null })
    expect(status).toBe(200)
    return body as PasskeyOptions
  }
  /** As the form of the web front does it. */
  const check = (passkey: object, at = gateway, more: object = {}) =>
    at.request('POST', '/manage/logon-checks', { body: { address: '192.0.2.1', passkey, ...more } })
  const tryPasskey = async (passkey: SoftwarePasskey, oddities: Oddities = {}, at = gateway) =>
    codeOf(check(passkey.get(await options(), oddities), at))

  test.each(['ES256', 'EdDSA'] as const)(
    'a key of %s is registered by the password and logs on',
    async (algorithm) => {
      const ada = await person()
      const passkey = new SoftwarePasskey(origin, algorithm)
      expect(await codeOf(own(ada, 'POST', '/options', { password: 'wrong password' }))).toEqual([
        422,
        'PASSWORD_WRONG',
      ])
      const begun = await begin(ada)
      expect(begun).toEqual({
        origins: relyingParty.origins,
        options: {
          rp: { id: 'example.org', name: 'Gatehouse' },
          user: { id: expect.stringMatching(/^[\w-]+$/), name: ada.username, displayName: ada.username },
          challenge: expect.stringMatching(/^[\w-]{75}$/),
          pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
          timeout: 300_000,
          excludeCredentials: [],
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'required',
          },
          attestation: 'none',
        },
      })
      const credential = passkey.create(begun)
      const registered = await own(ada, 'POST', '', { name: 'Laptop', credential })
      const shown = {
        id: expect.stringMatching(/^[\w-]{43}$/),
        name: 'Laptop',
        created: expect.stringMatching(/^\d{4}-/),
        last_used: null,
        backed_up: true,
        transports: ['internal', 'hybrid'],
      }
      expect([registered.status, registered.body]).toEqual([201, shown])
      const asked = await options()
      expect(asked).toEqual({
        origins: relyingParty.origins,
        options: {
          challenge: expect.stringMatching(/^[\w-]{75}$/),
          rpId: 'example.org',
          timeout: 300_000,
          userVerification: 'required',
        },
      })
      const done = await check(passkey.get(asked))
      expect([done.status, done.body]).toEqual([
        200,
        expect.objectContaining({
          username: ada.username,
          browser: expect.any(String),
          'x-xaas-auth-token': expect.any(String),
        }),
      ])
      expect((await own(ada, 'GET')).body).toEqual({
        origins: relyingParty.origins,
        passkeys: [{ ...shown, last_used: expect.stringMatching(/^\d{4}-/) }],
      })
      // The authenticator is told of it, so that it makes no second one.
      expect(await begin(ada)).toMatchObject({ options: { excludeCredentials: [{ id: passkey.id }] } })
    },
  )

  test('an answer is good once, on all nodes', async () => {
    const { passkey } = await register(await person())
    const answer = passkey.get(await options())
    expect(await codeOf(check(answer))).toEqual(accepted)
    expect(await codeOf(check(answer))).toEqual(refused)
    expect(await codeOf(check(answer, other))).toEqual(refused)
    // What one node asks, another one accepts; of many at once, one.
    const raced = passkey.get(await options(other))
    const answers = await Promise.all([gateway, other, gateway, other].map((at) => codeOf(check(raced, at))))
    expect(answers.filter(([status]) => status === 200)).toEqual([accepted])
    // Nor do two people use one challenge.
    const { passkey: ofBen } = await register(await person())
    const shared = await options()
    const both = await Promise.all([
      codeOf(check(passkey.get(shared))),
      codeOf(check(ofBen.get(shared), other, { address: '192.0.2.2' })),
    ])
    expect(both.toSorted()).toEqual([accepted, refused])
  })

  test('an answer is good once although clocks differ', async () => {
    const { passkey } = await register(await person())
    const lateClock = () => new Date(now - minute / 2)
    const node = await startNode(nodes.options, {
      now: lateClock,
      passwordCost: cheapPasswords,
      relyingParty,
    })
    try {
      const answer = passkey.get(await options())
      expect(await codeOf(check(answer))).toEqual(accepted)
      now += 5 * minute
      // At one node it has ended, and what has ended is removed with the next logon; at the other it has not.
      expect(await tryPasskey(passkey)).toEqual(accepted)
      expect(await codeOf(check(answer, gateway.at(node)))).toEqual(refused)
      expect(await tryPasskey(passkey, {}, gateway.at(node))).toEqual(accepted)
    } finally {
      await node.close()
    }
  })

  test('a registration ends after five minutes, with the password, and with its first answer', async () => {
    const ada = await person()
    const tryToRegister = (credential: object) => codeOf(own(ada, 'POST', '', { name: 'Late', credential }))
    const invalid = [422, 'PASSKEY_INVALID']
    const late = new SoftwarePasskey(origin).create(await begin(ada))
    now += 5 * minute
    expect(await tryToRegister(late)).toEqual(invalid)
    const begun = await begin(ada)
    expect(await tryToRegister(new SoftwarePasskey(origin).create(begun))).toEqual([201, undefined])
    expect(await tryToRegister(new SoftwarePasskey(origin).create(begun))).toEqual(invalid)
    const before = new SoftwarePasskey(origin).create(await begin(ada))
    const { password, token } = ada
    const body = { password, new_password: `${password}, and another` }
    expect((await gateway.request('PATCH', '/whoami/password', { token, body })).status).toBe(204)
    expect(await tryToRegister(before)).toEqual(invalid)
  })

  test('a registration ends when the second factor is turned on or off', async () => {
    const ada = await person()
    const { token, password } = ada
    const factor = (method: string, body: object) =>
      gateway.request(method, '/whoami/second-factor', { token, body })
    const tryToRegister = (credential: object) => codeOf(own(ada, 'POST', '', { name: 'Old', credential }))
    const before = new SoftwarePasskey(origin).create(await begin(ada))
    const { secret } = (await factor('POST', { password })).body as { readonly secret: string }
    // What is set up and not active changes nothing.
    const meanwhile = new SoftwarePasskey(origin).create(await begin(ada))
    expect(await tryToRegister(meanwhile)).toEqual([201, undefined])
    const code = () => oneTimeCode(secret, clock())
    expect((await factor('PATCH', { code: code() })).status).toBe(200)
    expect(await tryToRegister(before)).toEqual([422, 'PASSKEY_INVALID'])
    now += minute
    const withCode = new SoftwarePasskey(origin).create(await begin(ada, { code: code() }))
    now += minute
    expect((await factor('DELETE', { password, code: code() })).status).toBe(204)
    expect(await tryToRegister(withCode)).toEqual([422, 'PASSKEY_INVALID'])
  })

  test('what an authenticator says of itself is not read: no certificate names an address to be called', async () => {
    const ada = await person()
    const passkey = new SoftwarePasskey(origin)
    const certificate = Buffer.from('a certificate of someone')
    const credential = passkey.create(await begin(ada), {
      attestation: [
        'packed',
        new Map<string, unknown>([
          ['alg', -7],
          ['sig', certificate],
          ['x5c', certificate],
        ]),
      ],
    })
    expect((await own(ada, 'POST', '', { name: 'Attested', credential })).status).toBe(201)
    expect(await tryPasskey(passkey)).toEqual(accepted)
  })

  test('a reset of the account removes its passkeys', async () => {
    const ada = await person()
    const { passkey } = await register(ada)
    const database = await openDatabase(nodes.options)
    try {
      const store = await openStore(database)
      const randomBytes = (size: number) => crypto.getRandomValues(new Uint8Array(size))
      await resetAccount({ store, now: clock, randomBytes }, { username: ada.username, role: undefined })
    } finally {
      await database.driver.close()
    }
    expect(await tryPasskey(passkey)).toEqual(refused)
  })

  test('an answer to an old or foreign challenge is refused', async () => {
    const ada = await person()
    const { passkey } = await register(ada)
    const old = passkey.get(await options())
    now += 5 * minute
    const late = await check(old)
    expect([late.status, detailOf(late)]).toEqual([401, 'The passkey was asked for too long ago. Try again.'])
    const { options: forRegistration } = await begin(ada)
    const strange = [forRegistration.challenge, Buffer.alloc(56).toString('base64url'), 'AAAA', '']
    for (const challenge of strange) expect(await tryPasskey(passkey, { challenge })).toEqual(refused)
    expect(await tryPasskey(passkey)).toEqual(accepted)
  })

  test('another origin, another domain, or no check of the person is refused', async () => {
    const ada = await person()
    const { passkey } = await register(ada)
    const foreign = await check(passkey.get(await options(), { origin: 'https://evil.example' }))
    expect([foreign.status, detailOf(foreign)]).toEqual([
      401,
      'Passkeys work at https://app.example.org and https://example.org, not at the origin "https://evil.example". An operator can add it to passkey_origins.',
    ])
    for (const odd of [
      { rpId: 'app.example.org' },
      { verifiesUser: false },
      { crossOrigin: true },
      { type: 'webauthn.create' },
      { userHandle: null },
    ])
      expect(await tryPasskey(passkey, odd)).toEqual(refused)
    const wrong = [
      { origin: 'https://app.example.org.evil.example' },
      { rpId: 'evil.example' },
      { verifiesUser: false },
      { crossOrigin: true },
      { type: 'webauthn.get' },
      { challenge: (await options()).options.challenge },
    ]
    for (const odd of wrong) {
      const credential = new SoftwarePasskey(origin).create(await begin(ada), odd)
      expect(await codeOf(own(ada, 'POST', '', { name: 'Odd', credential }))).toEqual([
        422,
        'PASSKEY_INVALID',
      ])
      now += minute
    }
    expect(await tryPasskey(passkey)).toEqual(accepted)
  })

  test('one account gets nothing from the passkey or the challenge of another', async () => {
    const [ada, ben] = [await person(), await person()]
    const { passkey, id } = await register(ada)
    const { passkey: ofBen } = await register(ben)
    const handleOf = async (key: SoftwarePasskey) => key.get(await options()).response.userHandle
    const [handle, handleOfBen] = [await handleOf(passkey), await handleOf(ofBen)]
    expect(await tryPasskey(passkey, { userHandle: handleOfBen })).toEqual(refused)
    expect(await tryPasskey(ofBen, { id: passkey.id })).toEqual(refused)
    const credential = new SoftwarePasskey(origin).create(await begin(ada))
    expect(await codeOf(own(ben, 'POST', '', { name: 'Mine', credential }))).toEqual([422, 'PASSKEY_INVALID'])
    const twice = passkey.create(await begin(ben))
    expect(await codeOf(own(ben, 'POST', '', { name: 'Mine', credential: twice }))).toEqual([
      422,
      'PASSKEY_INVALID',
    ])
    expect(await codeOf(own(ben, 'PATCH', `/${id}`, { name: 'Mine' }))).toEqual([404, 'RECORD_NOT_FOUND'])
    expect(await codeOf(own(ben, 'DELETE', `/${id}`, { password: ben.password }))).toEqual([
      404,
      'RECORD_NOT_FOUND',
    ])
    expect(await tryPasskey(passkey, { userHandle: handle })).toEqual(accepted)
  })

  test('is renamed, and removed by the password: then it is good for nothing', async () => {
    const ada = await person()
    const { passkey, id } = await register(ada)
    const renamed = await own(ada, 'PATCH', `/${id}`, { name: 'Blue key' })
    expect([renamed.status, renamed.body]).toEqual([200, expect.objectContaining({ id, name: 'Blue key' })])
    expect(await codeOf(own(ada, 'DELETE', `/${id}`, { password: 'wrong password' }))).toEqual([
      422,
      'PASSWORD_WRONG',
    ])
    const answer = passkey.get(await options())
    expect((await own(ada, 'DELETE', `/${id}`, { password: ada.password })).status).toBe(204)
    expect(await codeOf(check(answer))).toEqual(refused)
    expect((await own(ada, 'GET')).body).toMatchObject({ passkeys: [] })
    expect(await auditOf(ada)).toEqual([
      ['passkey removed', { passkey: { before: 'Blue key' } }],
      ['passkey renamed', { passkey: { before: 'Laptop', after: 'Blue key' } }],
      ['passkey registered', { passkey: { after: 'Laptop' } }],
    ])
  })

  test('its name is any text of 1 to 100 characters, and checked before the browser makes the passkey', async () => {
    const ada = await person()
    const [long, other] = ['ü'.repeat(100), '界'.repeat(100)]
    const { id } = await register(ada, new SoftwarePasskey(origin), long)
    expect((await own(ada, 'PATCH', `/${id}`, { name: other })).status).toBe(200)
    expect((await auditOf(ada))[0]).toEqual(['passkey renamed', { passkey: { before: long, after: other } }])
    for (const name of ['.', 'Work / home', '🔑'.repeat(100)]) {
      const renamed = await own(ada, 'PATCH', `/${id}`, { name })
      expect([renamed.status, renamed.body]).toEqual([200, expect.objectContaining({ name })])
    }
    const { password } = ada
    for (const name of ['', 'a'.repeat(101), 'a\nb', '\ud800']) {
      const calls = [
        own(ada, 'POST', '/options', { password, name }),
        own(ada, 'PATCH', `/${id}`, { name }),
        own(ada, 'POST', '', { name, credential: new SoftwarePasskey(origin).create(await begin(ada)) }),
      ]
      for (const call of calls) {
        const { status, body } = await call
        const errors = [{ pointer: '/name', detail: expect.any(String) }]
        expect([status, body]).toEqual([422, expect.objectContaining({ code: 'DOCUMENT_INVALID', errors })])
      }
      now += minute
    }
    await begin(ada, { name: 'Work / home' })
  })

  test('a counter that goes back is refused and in the audit', async () => {
    const ada = await person()
    const passkey = new SoftwarePasskey(origin)
    passkey.counter = 7
    await register(ada, passkey)
    expect(await tryPasskey(passkey, { counter: 8 })).toEqual(accepted)
    expect(await tryPasskey(passkey, { counter: 8 })).toEqual(refused)
    expect(await tryPasskey(passkey, { counter: 0 })).toEqual(refused)
    expect(await tryPasskey(passkey, { counter: 9 })).toEqual(accepted)
    const { body } = await gateway.request('GET', `/manage/audit?name=${ada.username}&limit=1`)
    expect(body).toEqual([
      expect.objectContaining({
        account: ada.username,
        address: '192.0.2.1',
        record: 'account',
        detail: 'passkey refused, its counter went back',
        changes: { passkey: { before: 'Laptop', after: 'Laptop' }, counter: { before: 8, after: 0 } },
      }),
    ])
  })

  test('counts as both factors; with one of codes, its code is needed to register', async () => {
    const ada = await person()
    const { passkey } = await register(ada)
    const strict = gateway.at(strictNode)
    expect(await tryPasskey(passkey, {}, strict)).toEqual(accepted)
    const factor = (method: string, body: object) =>
      gateway.request(method, '/whoami/second-factor', { token: ada.token, body })
    const { secret } = (await factor('POST', { password: ada.password })).body as { secret: string }
    await factor('PATCH', { code: oneTimeCode(secret, clock()) })
    expect(await tryPasskey(passkey)).toEqual(accepted)
    now += minute
    const { password } = ada
    expect(await codeOf(own(ada, 'POST', '/options', { password }))).toEqual([422, 'CODE_WRONG'])
    await begin(ada, { code: oneTimeCode(secret, clock()) })
  })

  test('alone, where a second factor is required, it is not replaced by the password', async () => {
    const ada = await person()
    const { username, password } = ada
    const strict = gateway.at(strictNode)
    const atService = (entered: object, at = strict) =>
      at.request('POST', '/manage/logon-checks', { body: { address: '192.0.2.1', username, ...entered } })
    const atPage = (entered: object) =>
      strict.request('POST', '/logon/browser', {
        token: null,
        body: { username, ...entered },
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    const needed = [401, 'PASSKEY_NEEDED']
    // Someone with the password has begun before.
    const { challenge, secret } = (await atService({ password })).body as Record<string, string>
    const code = oneTimeCode(String(secret), clock())
    const { passkey, id } = await register(ada)
    for (const logOn of [atService, atPage]) {
      expect(await codeOf(logOn({ password }))).toEqual(needed)
      expect(await codeOf(logOn({ password, code }))).toEqual(needed)
      expect(await codeOf(logOn({ challenge, code }))).toEqual(needed)
      expect(await codeOf(logOn({ password: 'wrong password' }))).toEqual([401, 'LOGON_REFUSED'])
    }
    expect((await gateway.request('GET', `/manage/accounts/${username}`)).body).not.toHaveProperty(
      'second_factor',
    )
    expect(await tryPasskey(passkey, {}, strict)).toEqual(accepted)
    expect(await codeOf(atService({ password }, gateway))).toEqual(accepted)
    // Without passkeys at the gateway, or when it was removed, codes are set up.
    const settings = { now: clock, passwordCost: cheapPasswords, requiresSecondFactor: true }
    const withoutPasskeys = await startNode(nodes.options, settings)
    try {
      const set = atService({ password }, gateway.at(withoutPasskeys))
      expect(await codeOf(set)).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    } finally {
      await withoutPasskeys.close()
    }
    await gateway.request('DELETE', `/manage/accounts/${username}/passkeys/${id}`)
    expect(await codeOf(atService({ password }))).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  })

  test('a disabled, expired or deleted account is refused like an unknown passkey', async () => {
    const [ada, ben] = [await person(), await person()]
    const [one, two] = [(await register(ada)).passkey, (await register(ben)).passkey]
    const set = (body: object) => gateway.request('PATCH', `/manage/accounts/${ada.username}`, { body })
    const withoutId = ({ body }: Answer) => ({ ...(body as object), requestId: '' })
    const unknown = await check(new SoftwarePasskey(origin).get(await options(), { userHandle: 'AAAA' }))
    await set({ disabled: true })
    const disabled = await check(one.get(await options()))
    expect([disabled.status, withoutId(disabled)]).toEqual([401, withoutId(unknown)])
    await set({ disabled: false, expire_days: 1 })
    expect(await tryPasskey(one)).toEqual(accepted)
    now += 2 * 24 * 60 * minute
    expect(await tryPasskey(one)).toEqual(refused)
    expect((await gateway.request('DELETE', `/manage/accounts/${ben.username}`)).status).toBe(204)
    expect(await tryPasskey(two)).toEqual(refused)
  })

  test('too many wrong answers lock passkeys and passwords of that account and address', async () => {
    const ada = await person()
    const { passkey } = await register(ada)
    for (let guess = 0; guess < 10; guess++)
      expect(await tryPasskey(passkey, { verifiesUser: false })).toEqual(refused)
    expect(await tryPasskey(passkey)).toEqual([429, 'LOGON_THROTTLED'])
    const { username, password } = ada
    const byPassword = gateway.request('POST', '/manage/logon-checks', {
      body: { address: '192.0.2.1', username, password },
    })
    expect(await codeOf(byPassword)).toEqual([429, 'LOGON_THROTTLED'])
    const elsewhere = check(passkey.get(await options()), gateway, { address: '192.0.2.2' })
    expect(await codeOf(elsewhere)).toEqual(accepted)
  })

  test('administrators see and remove passkeys; the account shows how many there are', async () => {
    const ada = await person()
    const { passkey, id } = await register(ada)
    const path = `/manage/accounts/${ada.username}`
    expect((await gateway.request('GET', path)).body).toMatchObject({ passkeys: 1 })
    expect((await gateway.request('GET', `${path}/passkeys`)).body).toEqual([
      expect.objectContaining({ id, name: 'Laptop' }),
    ])
    expect(await codeOf(gateway.request('DELETE', `${path}/passkeys/none`))).toEqual([
      404,
      'RECORD_NOT_FOUND',
    ])
    expect((await gateway.request('DELETE', `${path}/passkeys/${id}`)).status).toBe(204)
    expect((await gateway.request('GET', path)).body).not.toHaveProperty('passkeys')
    expect(await tryPasskey(passkey)).toEqual(refused)
    const withoutRight = gateway.request('GET', `${path}/passkeys`, { token: ada.token })
    expect((await withoutRight).status).toBe(401)
  })

  test('logs on at the pages of the gateway, too', async () => {
    const ada = await person()
    const passkey = new SoftwarePasskey('https://example.org')
    await register(ada, passkey)
    const logOn = async (site: string) =>
      gateway.request('POST', '/logon/browser', {
        token: null,
        body: { passkey: passkey.get(await options()) },
        headers: { 'sec-fetch-site': site },
      })
    expect(await codeOf(logOn('cross-site'))).toEqual([403, 'CROSS_SITE_REFUSED'])
    const { status, body } = await logOn('same-origin')
    expect([status, Object.keys(body as object)]).toEqual([
      200,
      ['x-xaas-auth-token', 'expire', 'limited', 'role', 'roles'],
    ])
  })

  test('an account has at most twenty', async () => {
    const ada = await person()
    for (let number = 0; number < 20; number++) {
      await register(ada, new SoftwarePasskey(origin), `Key ${number}`)
      now += minute
    }
    expect(await codeOf(own(ada, 'POST', '/options', { password: ada.password }))).toEqual([
      409,
      'TOO_MANY_PASSKEYS',
    ])
  })

  test('what is no answer of an authenticator is refused with its place', async () => {
    const { passkey } = await register(await person())
    const answer = passkey.get(await options())
    const odd = [
      null,
      'text',
      {},
      { ...answer, id: 'ÿ' },
      { ...answer, response: {} },
      { ...answer, response: { ...answer.response, signature: 'a'.repeat(13_000) } },
    ]
    for (const sent of odd) {
      const { status, body } = await check(sent as object)
      expect([status, body]).toEqual([
        422,
        expect.objectContaining({
          errors: expect.arrayContaining([
            expect.objectContaining({ pointer: expect.stringMatching(/^\/passkey/) }),
          ]),
        }),
      ])
    }
    for (const member of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const broken = { ...answer, response: { ...answer.response, [member]: 'AAAA' } }
      expect(await codeOf(check(broken))).toEqual(refused)
    }
    expect(await codeOf(check({ ...answer, password: 'x' }))).toEqual(accepted)
    expect(await codeOf(check(answer, gateway, { username: 'ada1' }))).toEqual([422, 'DOCUMENT_INVALID'])
  })

  test('without origins they are off; those there are can still be seen and removed', async () => {
    const ada = await person()
    const { passkey, id } = await register(ada)
    const answer = passkey.get(await options())
    const node = await startNode(nodes.options, { now: clock, passwordCost: cheapPasswords })
    const off = gateway.at(node)
    try {
      expect((await off.request('GET', '/logon/passkey', { token: null })).body).toEqual({ origins: [] })
      expect(await codeOf(check(answer, off))).toEqual([404, 'PASSKEYS_OFF'])
      const begun = own(ada, 'POST', '/options', { password: ada.password }, off)
      expect(await codeOf(begun)).toEqual([404, 'PASSKEYS_OFF'])
      expect((await own(ada, 'GET', '', undefined, off)).body).toMatchObject({
        origins: [],
        passkeys: [{ id }],
      })
      expect((await own(ada, 'DELETE', `/${id}`, { password: ada.password }, off)).status).toBe(204)
    } finally {
      await node.close()
    }
  })
})
