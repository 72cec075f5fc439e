/** C3. Tokens of other issuers: what is accepted, and what never is. */
import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { createAccount } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { audience, makeKey, startIssuer, type TestIssuer } from '../support/test-issuer.ts'
import { startEcho } from '../support/upstream-servers.ts'

const minute = 60
const hour = 60 * minute
const start = Date.parse('2026-11-21T06:00:00Z')
const reading = [{ regex: '/metrics|/whoami|/manage/roles', methods: ['GET'] }]

/** Seconds that the clock is ahead. */
let ahead = 0
const now = () => new Date(start + ahead * 1000)
const seconds = () => Math.floor(now().getTime() / 1000)

let issuer: TestIssuer
let gateway: TestGateway

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  issuer = await startIssuer(now)
  const roles = {
    groups: { ops: ['writer'], ghosts: ['not-there'] },
    scope: { 'roles:write': ['writer'] },
  }
  gateway = await startTestGateway(product, undefined, {
    now,
    tokenTtlSeconds: 3650 * 24 * hour,
    tokenIssuers: [{ ...issuer.settings, role: ['reader'], roles }],
  })
  const create = (name: string, authorities: unknown, more = {}) =>
    gateway.request('POST', '/manage/roles', { body: { name, authorities, ...more } })
  await create('reader', reading)
  await create('writer', [{ regex: '/manage/roles(/.*)?', methods: ['GET', 'POST', 'DELETE'] }])
})
afterAll(async () => {
  await gateway?.close()
  await issuer?.close()
})
beforeEach(() => {
  issuer.manner = 'fine'
  issuer.asked.splice(0)
})

const ask = (token: string, path = '/metrics', method = 'GET', body?: unknown) =>
  gateway.request(method, path, {
    token: null,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  })
const statusOf = async (token: string, path?: string) => (await ask(token, path)).status
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token whose parts are put together by hand. */
function forged(header: unknown, claims: object, sign: (text: string) => string = () => ''): string {
  const usual = { iss: issuer.url, aud: audience, sub: 'ada', exp: seconds() + hour }
  const text = `${encoded(header)}.${encoded({ ...usual, ...claims })}`
  return `${text}.${sign(text)}`
}

describe('a token of an issuer', () => {
  test('opens what the roles open that it gives, in both headers', async () => {
    const token = await issuer.token()
    expect(await statusOf(token)).toBe(200)
    expect((await gateway.request('GET', '/metrics', { token })).status).toBe(200)
    const beyond = await ask(token, '/graphql')
    expect([beyond.status, beyond.body]).toEqual([401, {}])
  })

  test('is verified once: then the issuer is not asked again, and the keys are read once for all', async () => {
    await statusOf(await issuer.token())
    issuer.asked.splice(0)
    const token = await issuer.token({ jti: '1' })
    for (let index = 0; index < 3; index += 1) expect(await statusOf(token)).toBe(200)
    expect(await statusOf(await issuer.token({ jti: '2' }))).toBe(200)
    expect(issuer.asked).toEqual([])
  })

  test('names its caller after the issuer: never one of the gateway’s own accounts', async () => {
    const { body } = await ask(await issuer.token({ sub: 'admin' }), '/whoami')
    const role = {
      name: 'reader',
      authorities: [{ regex: '(?:/metrics|/whoami|/manage/roles)$', methods: ['GET'] }],
    }
    expect(body).toEqual({
      username: 'staff:admin',
      id: null,
      role,
      roles: [role],
      metadata: {},
      limited: false,
      account_expire: null,
      issuer: 'staff',
      expire: new Date((seconds() + hour) * 1000).toISOString().replace('.000Z', '+00:00'),
    })
  })

  test.each<[Record<string, unknown>, string[]]>([
    [{ groups: ['ops', 'others'] }, ['reader', 'writer']],
    [{ groups: 'ops' }, ['reader', 'writer']],
    [{ scope: 'openid roles:write' }, ['reader', 'writer']],
    [{ scope: 'roles:writes' }, ['reader']],
    [{ groups: { ops: true } }, ['reader']],
    [{ roles: ['admin'] }, ['reader']],
  ])('with %j gives the roles %j', async (claims, expected) => {
    const { body } = await ask(await issuer.token(claims), '/whoami')
    expect((body as { roles: { name: string }[] }).roles.map(({ name }) => name)).toEqual(expected)
  })

  test('acts in the audit under its name, and gives no more than it has', async () => {
    const token = await issuer.token({ groups: ['ops'] })
    const created = await ask(token, '/manage/roles', 'POST', { name: 'made', authorities: reading })
    expect(created.status).toBe(201)
    const audit = await gateway.request('GET', '/manage/audit?limit=1')
    expect(audit.body).toMatchObject([{ account: 'staff:ada', record: 'role', name: 'made' }])
    const wider = [{ regex: '.*', methods: ['GET'] }]
    const raised = await ask(token, '/manage/roles', 'POST', { name: 'wider', authorities: wider })
    expect(raised.status).toBe(403)
  })

  test('gives no role that does not exist, which is logged once', async () => {
    const before = gateway.events.length
    for (const jti of ['a', 'b']) await statusOf(await issuer.token({ jti, groups: ['ghosts'] }))
    expect(gateway.events.slice(before).filter(({ kind }) => kind === 'IssuerRoleMissing')).toEqual([
      { kind: 'IssuerRoleMissing', issuer: 'staff', role: 'not-there' },
    ])
  })

  test('loses a right at once when its role loses it', async () => {
    const token = await issuer.token({ jti: 'role' })
    expect(await statusOf(token)).toBe(200)
    const put = (authorities: unknown) =>
      gateway.request('PUT', '/manage/roles/reader', { body: { authorities } })
    await put([{ regex: '/whoami', methods: ['GET'] }])
    expect(await statusOf(token)).toBe(401)
    await put(reading)
    expect(await statusOf(token)).toBe(200)
  })

  test('opens nothing while an account with the name of its caller is disabled', async () => {
    const token = await issuer.token({ sub: 'kim' })
    expect(await statusOf(token)).toBe(200)
    await createAccount(gateway, 'staff:kim', reading)
    expect(await statusOf(token)).toBe(200)
    await gateway.request('PATCH', '/manage/accounts/staff:kim', { body: { disabled: true } })
    const refused = await ask(token)
    expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
      401,
      'The account "staff:kim" is disabled.',
    ])
    await gateway.request('DELETE', '/manage/accounts/staff:kim')
    expect(await statusOf(token)).toBe(200)
  })

  test('counts for the rate limit of its roles, by its caller', async () => {
    const limits = { requests: 2, per: hour }
    await gateway.request('PUT', '/manage/roles/reader', { body: { authorities: reading, limits } })
    const tokens = [
      await issuer.token({ sub: 'lee', jti: '1' }),
      await issuer.token({ sub: 'lee', jti: '2' }),
    ]
    const statuses = [...tokens, ...tokens].map((token) => statusOf(token))
    expect((await Promise.all(statuses)).sort()).toEqual([200, 200, 429, 429])
    await gateway.request('PUT', '/manage/roles/reader', { body: { authorities: reading } })
  })

  test('cannot be ended here, and has no account to change', async () => {
    const token = await issuer.token()
    const of = async (method: string, path: string, body?: unknown) => {
      const answer = await ask(token, path, method, body)
      return [answer.status, (answer.body as { code: string }).code]
    }
    const missing = [404, 'RECORD_NOT_FOUND']
    expect(await of('POST', '/logoff')).toEqual(missing)
    expect(await of('GET', '/whoami/api-keys')).toEqual(missing)
    expect(await of('PATCH', '/whoami/password', { password: 'x', new_password: 'y' })).toEqual(missing)
    const explained = await ask(token, '/whoami/explain-access?method=GET&path=/metrics')
    expect(explained.body).toMatchObject({ allowed: true })
  })

  test('is valid until it ends, and half a minute for clocks that differ', async () => {
    const token = await issuer.token({ exp: seconds() + minute })
    expect(await statusOf(token)).toBe(200)
    ahead += minute + 29
    expect(await statusOf(token)).toBe(200)
    ahead += 1
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(await issuer.token({ nbf: seconds() + 29 }))).toBe(200)
  })

  test('never reaches an upstream', async () => {
    const upstream = await startEcho()
    const route = { name: 'up', path: '/up', methods: ['GET'], target: upstream.url }
    await gateway.request('POST', '/manage/routes', { body: route })
    await gateway.request('PUT', '/manage/roles/reader', {
      body: { authorities: [...reading, { regex: '/up', methods: ['GET'] }] },
    })
    const token = await issuer.token()
    const both = { authorization: `Bearer ${token}`, 'x-xaas-auth-token': token }
    expect(await statusOf(token, '/up')).toBe(200)
    await gateway.request('GET', '/up', { token: null, headers: both })
    expect(upstream.received).toHaveLength(2)
    for (const { headers } of upstream.received) {
      expect(JSON.stringify(headers)).not.toContain(token)
      expect(headers).toContainEqual(['X-Gatehouse-Account', 'staff:ada'])
    }
  })
})

type Forgery = () => Promise<string> | string

const hostile: readonly (readonly [string, Forgery, string])[] = [
  [
    'another key of the same name',
    async () => issuer.token({}, { key: await makeKey(issuer.key.kid) }),
    'The signature of the token is not by the issuer "staff".',
  ],
  [
    'the key of an issuer that is not configured',
    async () => issuer.token({ iss: 'https://evil.example' }, { key: await makeKey('evil') }),
    'The gateway accepts no tokens of the issuer that this one names.',
  ],
  [
    'no issuer',
    () => issuer.token({ iss: undefined }),
    'The gateway accepts no tokens of the issuer that this one names.',
  ],
  [
    'a list of issuers',
    () => issuer.token({ iss: [issuer.url] }),
    'The gateway accepts no tokens of the issuer that this one names.',
  ],
  [
    'a slash after the issuer',
    () => issuer.token({ iss: `${issuer.url}/` }),
    'The gateway accepts no tokens of the issuer that this one names.',
  ],
  [
    'alg none',
    () => forged({ alg: 'none' }, {}, () => 'AA'),
    'Tokens of the issuer "staff" must be signed with RS256, PS256, ES256, EdDSA.',
  ],
  [
    'alg nOnE',
    () => forged({ alg: 'nOnE' }, {}, () => 'AA'),
    'Tokens of the issuer "staff" must be signed with RS256, PS256, ES256, EdDSA.',
  ],
  [
    'HS256 with the public key as the secret',
    () => {
      const secret = JSON.stringify(issuer.key.jwk)
      const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
      return forged({ alg: 'HS256', kid: issuer.key.kid }, {}, sign)
    },
    'Tokens of the issuer "staff" must be signed with RS256, PS256, ES256, EdDSA.',
  ],
  [
    'another algorithm than that of the key',
    async () => issuer.token({}, { key: { ...(await makeKey(issuer.key.kid, 'RS256')) } }),
    'The issuer "staff" does not have one key that is named by the token ("kid", "alg").',
  ],
  [
    'an algorithm that is not configured',
    async () => issuer.token({}, { key: await makeKey('k', 'ES384') }),
    'Tokens of the issuer "staff" must be signed with RS256, PS256, ES256, EdDSA.',
  ],
  [
    'a kid that is a path',
    () => issuer.token({}, { header: { kid: '../../../../dev/null' } }),
    'The issuer "staff" does not have one key that is named by the token ("kid", "alg").',
  ],
  [
    'a kid that is SQL',
    () => issuer.token({}, { header: { kid: "x' or '1'='1" } }),
    'The issuer "staff" does not have one key that is named by the token ("kid", "alg").',
  ],
  [
    'its own key (jwk)',
    async () => {
      const key = await makeKey('own')
      return issuer.token({}, { key, header: { jwk: key.jwk } })
    },
    'The token brings its own key ("jwk").',
  ],
  [
    'the address of its own key (jku)',
    () => issuer.token({}, { header: { jku: 'https://evil.example/jwks' } }),
    'The token brings its own key ("jku").',
  ],
  [
    'critical extensions',
    () => issuer.token({}, { header: { crit: ['made'], made: 1 } }),
    'The token has critical extensions ("crit").',
  ],
  [
    'the type of a logout token',
    () => issuer.token({}, { header: { typ: 'logout+jwt' } }),
    'The type ("typ") of the token is neither JWT nor at+jwt.',
  ],
  [
    'a type that is no text',
    () => issuer.token({}, { header: { typ: ['JWT'] } }),
    'The type ("typ") of the token is neither JWT nor at+jwt.',
  ],
  [
    'an end in the past',
    () => issuer.token({ exp: seconds() - 31 }),
    'The token of the issuer "staff" has expired.',
  ],
  [
    'no end',
    () => issuer.token({ exp: undefined }),
    'Tokens of the issuer "staff" must have an expiry ("exp").',
  ],
  [
    'an end without end',
    () => issuer.token({ exp: 1e300 }),
    'Tokens of the issuer "staff" must have an expiry ("exp").',
  ],
  [
    'an end that is a text',
    () => forged({ alg: 'ES256' }, { exp: '9999999999' }, () => 'AA'),
    'Tokens of the issuer "staff" must have an expiry ("exp").',
  ],
  [
    'a start in the future',
    () => issuer.token({ nbf: seconds() + 31 }),
    'The token of the issuer "staff" is not valid yet ("nbf").',
  ],
  [
    'another audience',
    () => issuer.token({ aud: 'https://other.example' }),
    'The token of the issuer "staff" is for another audience ("aud") than this gateway.',
  ],
  [
    'no audience',
    () => issuer.token({ aud: undefined }),
    'The token of the issuer "staff" is for another audience ("aud") than this gateway.',
  ],
  [
    'an audience that only begins right',
    () => issuer.token({ aud: `${audience}.evil` }),
    'The token of the issuer "staff" is for another audience ("aud") than this gateway.',
  ],
  [
    'no subject',
    () => issuer.token({ sub: undefined }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'an empty subject',
    () => issuer.token({ sub: '' }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'a subject with a slash',
    () => issuer.token({ sub: '../admin' }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'a subject with a line end',
    () => issuer.token({ sub: 'ada\nadmin' }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'a subject that is an object',
    () => issuer.token({ sub: { toString: 'ada' } }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'a number that is not exact',
    () => issuer.token({ sub: 2 ** 53 }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'a very long subject',
    () => issuer.token({ sub: 'x'.repeat(300) }),
    'The claim "sub" of the token of the issuer "staff" is not a name that callers may have.',
  ],
  [
    'more than 8192 characters',
    () => issuer.token({ long: 'x'.repeat(8000) }),
    'The token has more than 8192 characters.',
  ],
  ['8192 dots', () => '.'.repeat(8193), 'The token has more than 8192 characters.'],
  [
    'no JSON',
    () => `${randomBytes(30).toString('base64url')}.AAAA.AAAA`,
    'The token is not a JSON Web Token.',
  ],
  [
    'claims that are no object',
    async () => (await issuer.token()).replace(/\..*\./, `.${encoded([])}.`),
    'The token is not a JSON Web Token.',
  ],
  [
    'deep lists',
    () => `${encoded({ alg: 'ES256' })}.${Buffer.from('['.repeat(5000)).toString('base64url')}.AA`,
    'The token is not a JSON Web Token.',
  ],
  [
    'a key of its client (DPoP, mTLS)',
    () => issuer.token({ cnf: { jkt: 'x' } }),
    'The token is bound to a key of its client ("cnf"), which the gateway cannot check.',
  ],
  [
    'changed claims',
    async () => {
      const [header, , signature] = (await issuer.token()).split('.')
      const claims = { iss: issuer.url, aud: audience, sub: 'eve', exp: seconds() + hour }
      return `${header}.${encoded(claims)}.${signature}`
    },
    'The signature of the token is not by the issuer "staff".',
  ],
  [
    'the signature cut off',
    async () => (await issuer.token()).replace(/[^.]*$/, 'AA'),
    'The signature of the token is not by the issuer "staff".',
  ],
]

describe('C3 no token is accepted', () => {
  test.each(hostile)('with %s', async (_what, forge, detail) => {
    const answer = await ask(await forge())
    expect([answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
      401,
      'Bearer error="invalid_token"',
      expect.objectContaining({ code: 'TOKEN_INVALID', detail }),
    ])
  })

  test.each([
    ['five parts (JWE)', 'e30.e30.e30.e30.e30'],
    ['two parts', 'e30.e30'],
    ['padding', 'e30=.e30=.AA=='],
    ['no signature', 'e30.e30.'],
  ])('with %s', async (_what, token) => {
    const answer = await ask(token)
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([401, 'TOKEN_INVALID'])
  })

  test('by a gateway without issuers', async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    const other = await startTestGateway(product, undefined, { now })
    const token = await issuer.token()
    expect((await other.request('GET', '/whoami', { token })).status).toBe(401)
    await other.close()
    expect(issuer.asked).toEqual([])
  })

  test('beside another one', async () => {
    const headers = { authorization: `Bearer ${await issuer.token()}`, 'x-xaas-auth-token': gateway.token }
    expect((await gateway.request('GET', '/metrics', { token: null, headers })).status).toBe(401)
  })
})

describe('the keys of an issuer', () => {
  test('that were replaced are found; unknown ones are looked for every five seconds at most', async () => {
    const old = await issuer.token({ jti: 'before' })
    expect(await statusOf(old)).toBe(200)
    ahead += 5
    await issuer.rotate()
    expect(await statusOf(await issuer.token({ jti: 'after' }))).toBe(200)
    issuer.asked.splice(0)
    const key = await makeKey('unknown')
    for (let index = 0; index < 20; index += 1)
      await statusOf(await issuer.token({ jti: `${index}` }, { key }))
    expect(issuer.asked).toEqual([])
    ahead += 5
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        statusOf(await issuer.token({ jti: `${index}` }, { key })),
      ),
    )
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/certs'])
    const withdrawn = await ask(old)
    expect([withdrawn.status, (withdrawn.body as { detail: string }).detail]).toEqual([
      401,
      'The issuer "staff" does not have one key that is named by the token ("kid", "alg").',
    ])
  })

  test('are used for an hour while the issuer is away', async () => {
    ahead += 5
    expect(await statusOf(await issuer.token({ jti: 'first' }))).toBe(200)
    issuer.manner = 'failing'
    ahead += 59 * minute
    expect(await statusOf(await issuer.token({ jti: 'later' }))).toBe(200)
    ahead += 2 * minute
    expect(await statusOf(await issuer.token({ jti: 'too late' }))).toBe(503)
    ahead += 5
    issuer.manner = 'fine'
    expect(await statusOf(await issuer.token({ jti: 'again' }))).toBe(200)
  })

  test.each(['failing', 'moved', 'odd', 'silent'] as const)(
    'that cannot be read open nothing, and close nothing else: %s',
    { timeout: 30_000 },
    async (manner) => {
      ahead += 2 * hour
      const known = await issuer.token({ jti: `known ${manner}` })
      expect(await statusOf(known)).toBe(200)
      ahead += 61 * minute
      const valid = await issuer.token({ jti: manner })
      const ended = await issuer.token({ jti: manner, exp: seconds() - minute })
      issuer.manner = manner
      const answers = await Promise.all([valid, valid, ended].map((token) => ask(token)))
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 401])
      expect(answers[0]?.body).toMatchObject({
        code: 'ISSUER_UNAVAILABLE',
        detail:
          'The keys of the token issuer "staff" cannot be read, so its tokens cannot be checked. Try again in a few seconds.',
      })
      expect(answers[0]?.headers.get('retry-after')).toBe('5')
      expect((await gateway.request('GET', '/metrics')).status).toBe(200)
      // Not every request asks the issuer again.
      issuer.asked.splice(0)
      expect(await statusOf(valid)).toBe(503)
      expect(issuer.asked).toEqual([])
      issuer.manner = 'fine'
      ahead += 5
      expect(await statusOf(valid)).toBe(200)
    },
  )
})
