/** B. Accounts, API keys and logon, over HTTP on three stores. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs, type TestAccount, tryLogon } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const waitLimits = { timeout: 60_000, interval: 50 }

/** An answer without what differs each time. */
function gist({ status, headers, body }: Answer) {
  const { requestId, ...rest } = body as Record<string, unknown>
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
  return { status, headers: Object.fromEntries(kept), body: rest }
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  let options: DatabaseOptions

  beforeAll(async () => {
    gateway = await startTestGateway(
      product,
      async (given) => {
        options = given
      },
      { trustedProxies: ['127.0.0.1'] },
    )
  })
  afterAll(() => gateway.close())

  /** What clients behind a proxy are known by; each case has its own, so that none counts for another. */
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const reading = [{ regex: '/graphql', methods: ['GET'] }]

  async function inDatabase<Result>(
    work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>,
  ) {
    const database = await openDatabase(options)
    try {
      return await work(database)
    } finally {
      await database.driver.close()
    }
  }

  test('B1 a logon needs key, name and password of one account, the key in its header', async () => {
    const one = await createAccount(gateway, 'b1-one', reading)
    const other = await createAccount(gateway, 'b1-other', reading)
    const body = { username: one.username, password: one.password }
    const statusOf = async (sent: Parameters<TestGateway['request']>[2], path = '/logon') =>
      (
        await gateway.request('POST', path, {
          token: null,
          ...sent,
          headers: { ...from('203.0.113.1'), ...sent?.headers },
        })
      ).status
    expect({
      all: await statusOf({ body, headers: { 'x-xaas-api-key': one.apiKey } }),
      otherCase: await statusOf({ body, headers: { 'X-XAAS-API-KEY': one.apiKey } }),
      keyOfOther: await statusOf({ body, headers: { 'x-xaas-api-key': other.apiKey } }),
      noKey: await statusOf({ body }),
      keyInQuery: await statusOf({ body }, `/logon?x-xaas-api-key=${one.apiKey}`),
      keyAsToken: await statusOf({ body, headers: { authorization: `Bearer ${one.apiKey}` } }),
      keyInBody: await statusOf({ body: { ...body, 'x-xaas-api-key': one.apiKey } }),
      twoKeys: await statusOf({ body, headers: { 'x-xaas-api-key': `${one.apiKey}, ${one.apiKey}` } }),
    }).toEqual({
      all: 200,
      otherCase: 200,
      keyOfOther: 401,
      noKey: 401,
      keyInQuery: 401,
      keyAsToken: 401,
      keyInBody: 422,
      twoKeys: 401,
    })
  })

  test('B2 whatever is wrong, the answer is the same', async () => {
    const account = await createAccount(gateway, 'b2', reading)
    const attempts: readonly TestAccount[] = [
      { ...account, username: 'b2-nobody' },
      { ...account, username: 'B2' },
      { ...account, username: 'b2 ' },
      { ...account, username: 'b2\0' },
      { ...account, username: '' },
      { ...account, username: 'x'.repeat(5000) },
      { ...account, username: "b2' or '1'='1" },
      { ...account, password: 'A long pass phrase' },
      { ...account, password: '' },
      { ...account, password: '\0' },
      { ...account, apiKey: gateway.apiKey },
      { ...account, apiKey: `ghk_${'A'.repeat(43)}` },
      { ...account, apiKey: '%' },
    ]
    const answers: unknown[] = []
    for (const [index, attempt] of attempts.entries())
      answers.push(gist(await tryLogon(gateway, attempt, from(`203.0.113.${20 + index}`))))
    await inDatabase(({ driver }) =>
      driver.transaction((connection) =>
        connection.execute({
          sql: "update gatehouse_account set expires_at = '2020-01-01T00:00:00.000Z' where username = 'b2'",
          parameters: [],
        }),
      ),
    )
    answers.push(gist(await tryLogon(gateway, account, from('203.0.113.40'))))
    expect(answers).toEqual(answers.map(() => answers[0]))
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'LOGON_REFUSED' } })
  })

  test('B4 B6 guesses at one account are counted for each address, and the window ends', async () => {
    const account = await createAccount(gateway, 'b4', reading)
    const guess = { ...account, password: 'a wrong pass phrase' }
    const statuses = []
    for (let number = 0; number < 12; number += 1)
      statuses.push((await tryLogon(gateway, guess, from('203.0.113.50'))).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const right = await tryLogon(gateway, account, from('203.0.113.50'))
    expect(right).toMatchObject({ status: 429, body: { code: 'LOGON_THROTTLED' } })
    const wait = Number(right.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await tryLogon(gateway, account, from('203.0.113.51'))).status).toBe(200)
  })

  test('B5 50 guesses at once are 50', async () => {
    const account = await createAccount(gateway, 'b5', reading)
    const guess = { ...account, password: 'a wrong pass phrase' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => tryLogon(gateway, guess, from('203.0.113.60'))),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(40).fill(429)])
  })

  test('R7 B7 one password for many names is answered with 429, and locks no one who is right', async () => {
    const account = await createAccount(gateway, 'b7', reading)
    const spray = (number: number) =>
      tryLogon(
        gateway,
        { username: `b7-${number}`, password: 'Summer 2026!', apiKey: gateway.apiKey },
        from('203.0.113.70'),
      )
    const first = await Promise.all(Array.from({ length: 100 }, (_, number) => spray(number)))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]))
    const next = await spray(100)
    expect(next).toMatchObject({ status: 429, body: { code: 'LOGON_THROTTLED' } })
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await tryLogon(gateway, account, from('203.0.113.70'))).status).toBe(200)
  })

  test('R7 right logons are not refused for being many at once', async () => {
    const account = await createAccount(gateway, 'r7-many', reading)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => tryLogon(gateway, account, from('203.0.113.71'))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  })

  test.each([
    ['in one IPv6 network', (n: number) => `2001:db8:7:1::${n}`, '2001:db8:7:1:8000::', '2001:db8:7:2::1'],
    [
      'written as IPv6 or IPv4',
      (n: number) => (n % 2 === 0 ? '::ffff:203.0.113.72' : '203.0.113.72'),
      '203.0.113.72',
      '203.0.113.73',
    ],
    ['that are none', (n: number) => `junk${n}`, '127.0.0.1', '203.0.113.74'],
  ])('R7 addresses %s are one', async (name, addressOf, same, other) => {
    const account = await createAccount(gateway, `r7 ${name}`, reading)
    const guess = { ...account, password: 'a wrong pass phrase' }
    for (let number = 0; number < 10; number += 1)
      expect((await tryLogon(gateway, guess, from(addressOf(number)))).status).toBe(401)
    expect((await tryLogon(gateway, account, from(same))).status).toBe(429)
    expect((await tryLogon(gateway, account, from(other))).status).toBe(200)
  })

  test('R7 an address that is not one is in no record of what was changed', async () => {
    await gateway.request('PUT', '/manage/roles/r7-audit', {
      body: { authorities: [] },
      headers: from('198.51.100.9, ::ffff:203.0.113.75'),
    })
    await gateway.request('DELETE', '/manage/roles/r7-audit', { headers: from('203.0.113.76, junk') })
    const { body } = await gateway.request('GET', '/manage/audit')
    const addresses = (body as { name: string; address: string }[])
      .filter(({ name }) => name === 'r7-audit')
      .map(({ address }) => address)
    expect(addresses.toSorted()).toEqual(['127.0.0.1', '203.0.113.75'])
  })

  test('B9 a password is any text, exactly; the most common ones are refused', async () => {
    const long = `${'a'.repeat(72)}b${'c'.repeat(27)}`
    const account = await createAccount(gateway, 'b9', reading, { password: long })
    const statusWith = async (password: string) =>
      (await tryLogon(gateway, { ...account, password }, from('203.0.113.90'))).status
    expect([await statusWith(long), await statusWith(long.replace('b', 'x'))]).toEqual([200, 401])
    const change = async (password: string) =>
      gateway.request('PATCH', '/manage/accounts/b9', { body: { password } })
    expect((await change('  x     y  ')).status).toBe(200)
    expect([await statusWith('  x     y  '), await statusWith('x     y')]).toEqual([200, 401])
    expect((await change('日本語のパスワード')).status).toBe(200)
    expect(await statusWith('日本語のパスワード')).toBe(200)
    expect((await change('y'.repeat(1024))).status).toBe(200)
    expect([await statusWith('y'.repeat(1024)), await statusWith('y'.repeat(1023))]).toEqual([200, 401])
    expect(await change('password123')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', detail: expect.stringContaining('most common passwords') }] },
    })
    expect((await change('y'.repeat(1025))).status).toBe(422)
  })

  test('B10 B11 no secret comes back, and none is kept as it is', async () => {
    const account = await createAccount(gateway, 'b10', reading)
    const token = await logonAs(gateway, account)
    const paths = ['accounts', 'accounts/b10', 'accounts/b10/api-keys', 'tokens', 'roles', 'routes', 'audit']
    const shown = await Promise.all(paths.map((path) => gateway.request('GET', `/manage/${path}`)))
    expect(shown.map(({ status }) => status)).toEqual(paths.map(() => 200))
    const tables = ['account', 'account_role', 'api_key', 'token', 'audit', 'logon_attempt']
    const rows = await inDatabase(({ driver }) =>
      driver.read((connection) =>
        Promise.all(
          tables.map((table) =>
            connection.query({ sql: `select * from gatehouse_${table}`, parameters: [] }),
          ),
        ),
      ),
    )
    const kept = JSON.stringify([shown.map(({ body }) => body), rows, gateway.events])
    for (const secret of [
      account.password,
      account.apiKey,
      token,
      gateway.password,
      gateway.apiKey,
      gateway.token,
    ]) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(Buffer.from(secret).toString('base64'))
    }
    // Of a token, whose 256 random bits nobody can guess, the list has the SHA-256, by which it can be ended; nothing else has one.
    const tokens = shown[paths.indexOf('tokens')]?.body as readonly object[]
    const ofTokens = tokens.map((shownToken) => ({ ...shownToken, hash: undefined }))
    const others = shown.map(({ body }) => (body === tokens ? ofTokens : body))
    expect(JSON.stringify(others)).not.toMatch(/argon2|hash/i)
    expect(JSON.stringify(rows)).toContain('$argon2id$v=19$')
  })

  test.each([-1, 0, 1.5, 1e9, '1', '', true, [1]])('B13 a lifetime of %j is refused', async (days) => {
    const { status, body } = await gateway.request('POST', '/manage/accounts', {
      body: { username: 'b13', password: 'a long pass phrase', role: 'admin', expire_days: days },
    })
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ pointer: '/expire_days' }] } })
  })

  test('B13 an account that has ended is let in no more, with its tokens', async () => {
    const account = await createAccount(gateway, 'b13-ended', reading, { expire_days: 1 })
    const token = await logonAs(gateway, account)
    expect((await gateway.request('GET', '/graphql', { token })).status).toBe(200)
    await inDatabase(({ driver }) =>
      driver.transaction(async (connection) => {
        for (const sql of [
          "update gatehouse_account set expires_at = '2020-01-01T00:00:00.000Z' where username = 'b13-ended'",
          'update gatehouse_change set version = version + 1',
        ])
          await connection.execute({ sql, parameters: [] })
      }),
    )
    await vi.waitFor(
      async () => expect((await gateway.request('GET', '/graphql', { token })).status).toBe(401),
      waitLimits,
    )
    expect((await tryLogon(gateway, account, from('203.0.113.130'))).status).toBe(401)
  })

  describe('B14 names are the same only when they are the same text, in the composed form', () => {
    test.each([
      ['case', 'Zoë-a', 'zoë-a', 201],
      ['an accent', 'zoe-b', 'zoé-b', 201],
      ['a blank at the end', 'zoe-c', 'zoe-c ', 201],
      ['a ligature', 'straße-d', 'strasse-d', 201],
      ['a wide letter', 'zoe-e', '\uff5aoe-e', 201],
      ['no width', 'zoe-f', 'zo\u200be-f', 201],
      ['another alphabet', 'zoe-g', 'z\u043ee-g', 201],
      ['a soft hyphen', 'zoe-h', 'zo\u00ade-h', 201],
      ['decomposed', 'zo\u00eb-i', 'zoe\u0308-i', 409],
      ['nothing', 'zoe-j', 'zoe-j', 409],
    ])('%s', async (_name, first, second, status) => {
      const account = await createAccount(gateway, first, reading)
      const { status: created } = await gateway.request('POST', '/manage/accounts', {
        body: { username: second, password: 'another pass phrase', role: 'admin' },
      })
      const role = await gateway.request('POST', '/manage/roles', {
        body: { name: `of-${second}`, authorities: [] },
      })
      expect([created, role.status]).toEqual([status, status])
      expect((await tryLogon(gateway, { ...account, username: second }, from('203.0.113.140'))).status).toBe(
        status === 409 ? 200 : 401,
      )
    })
  })

  test.each([
    ['admin', 'admin'],
    ['admin', 'password'],
    ['root', ''],
    ['administrator', 'administrator'],
    ['gatehouse', 'gatehouse'],
  ])('B15 there is no account %s with the password %j', async (username, password) => {
    for (const apiKey of ['', 'admin', 'default', gateway.apiKey]) {
      const { status } = await tryLogon(gateway, { username, password, apiKey }, from('203.0.113.150'))
      expect([401, 429]).toContain(status)
    }
  })

  test('B16 B17 what an account loses, its tokens lose at once', async () => {
    const account = await createAccount(gateway, 'b16', reading)
    const [token, another] = [await logonAs(gateway, account), await logonAs(gateway, account)]
    const statuses = async () => [
      (await gateway.request('GET', '/graphql', { token })).status,
      (await gateway.request('GET', '/graphql', { token: another })).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await gateway.request('PUT', '/manage/roles/of-b16', { body: { authorities: [] } })
    expect(await statuses()).toEqual([401, 401])
    await gateway.request('PUT', '/manage/roles/of-b16', { body: { authorities: reading } })
    expect(await statuses()).toEqual([200, 200])
    await gateway.request('PUT', '/manage/roles/b16-none', { body: { authorities: [] } })
    await gateway.request('PATCH', '/manage/accounts/b16', { body: { role: 'b16-none' } })
    expect(await statuses()).toEqual([401, 401])
    await gateway.request('PATCH', '/manage/accounts/b16', { body: { role: ['b16-none', 'of-b16'] } })
    expect(await statuses()).toEqual([200, 200])
    await gateway.request('DELETE', '/manage/accounts/b16')
    expect(await statuses()).toEqual([401, 401])
    await createAccount(gateway, 'b16', reading)
    expect(await statuses()).toEqual([401, 401])
  })

  test('R8 B17 a disabled account is kept out, with its tokens, and keeps all else', async () => {
    const account = await createAccount(gateway, 'r8', reading, { metadata: { desk: 4 }, expire_days: 3 })
    const token = await logonAs(gateway, account)
    const shown = (await gateway.request('GET', '/manage/accounts/r8')).body
    const keys = (await gateway.request('GET', '/manage/accounts/r8/api-keys')).body
    const disable = (disabled: boolean) =>
      gateway.request('PATCH', '/manage/accounts/r8', { body: { disabled } })
    expect(await disable(true)).toMatchObject({ status: 200, body: { ...(shown as object), disabled: true } })
    expect((await gateway.request('GET', '/graphql', { token })).status).toBe(401)
    expect((await gateway.request('GET', '/whoami', { token })).status).toBe(401)
    const wrong = { ...account, username: 'r8-nobody' }
    expect(gist(await tryLogon(gateway, account, from('203.0.113.180')))).toEqual(
      gist(await tryLogon(gateway, wrong, from('203.0.113.181'))),
    )
    const asked = await gateway.request('POST', '/manage/tokens', { body: { account: 'r8' } })
    expect(asked).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/account', detail: expect.stringContaining('"r8" is disabled') }] },
    })
    const checked = await gateway.request('POST', '/manage/logon-checks', {
      body: { username: 'r8', password: account.password, address: '203.0.113.182' },
    })
    expect(checked).toMatchObject({ status: 401, body: { code: 'LOGON_REFUSED' } })
    expect((await disable(false)).body).toEqual(shown)
    expect((await gateway.request('GET', '/manage/accounts/r8/api-keys')).body).toEqual(keys)
    expect((await gateway.request('GET', '/graphql', { token })).status).toBe(401)
    expect(
      (await gateway.request('GET', '/graphql', { token: await logonAs(gateway, account) })).status,
    ).toBe(200)
    const { body: audit } = await gateway.request('GET', '/manage/audit?limit=2')
    expect(audit).toMatchObject(Array(2).fill({ record: 'account', name: 'r8', detail: 'disabled' }))
  })

  test('R8 an account may be made disabled', async () => {
    const account = await createAccount(gateway, 'r8-made', reading, { disabled: true })
    expect((await tryLogon(gateway, account, from('203.0.113.183'))).status).toBe(401)
    const { body } = await gateway.request('GET', '/manage/accounts')
    const found = (body as { username: string }[]).find(({ username }) => username === 'r8-made')
    expect(found).toMatchObject({ disabled: true })
    for (const disabled of [1, 'true', null])
      expect(
        await gateway.request('PATCH', '/manage/accounts/r8-made', { body: { disabled } }),
      ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/disabled' }] } })
  })

  test('R7 a check of a logon is a right like any other', async () => {
    const token = await logonAs(gateway, await createAccount(gateway, 'r7-check', reading))
    const body = { username: 'r7-check', password: 'a long pass phrase', address: '203.0.113.190' }
    const call = (sent: object, by?: string | null) =>
      gateway.request('POST', '/manage/logon-checks', {
        body: sent,
        ...(by === undefined ? {} : { token: by }),
      })
    expect(await call(body, token)).toMatchObject({ status: 401, body: {} })
    expect(await call(body, null)).toMatchObject({ status: 401, body: { code: 'TOKEN_MISSING' } })
    expect(await call(body)).toMatchObject({
      status: 200,
      body: { username: 'r7-check', 'x-xaas-auth-token': expect.stringMatching(/^ght_/) },
    })
    const wrong = { ...body, password: 'a wrong pass phrase' }
    const statuses = []
    for (let number = 0; number < 11; number += 1) statuses.push((await call(wrong)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await call(body)).status).toBe(429)
    expect((await call({ ...body, address: '203.0.113.191' })).status).toBe(200)
  })

  test.each([
    { admin: true },
    { id: 'x' },
    { apiKey: 'k' },
    { api_key: 'k' },
    { roles: ['admin'] },
    { expires: null },
  ])('B18 a key that is not known is refused: %j', async (fields) => {
    const document = { username: 'b18', password: 'a long pass phrase', role: 'admin' }
    const [key = ''] = Object.keys(fields)
    const refused = { status: 422, body: { errors: [{ pointer: `/${key}` }] } }
    expect(
      await gateway.request('POST', '/manage/accounts', { body: { ...document, ...fields } }),
    ).toMatchObject(refused)
    expect(await gateway.request('PATCH', '/manage/accounts/admin', { body: fields })).toMatchObject(refused)
    expect((await gateway.request('GET', '/manage/accounts/b18')).status).toBe(404)
  })

  test('B19 management is a right like any other', async () => {
    const token = await logonAs(gateway, await createAccount(gateway, 'b19', reading))
    const calls = [
      ['GET', '/manage/accounts'],
      ['POST', '/manage/accounts'],
      ['PATCH', '/manage/accounts/b19'],
      ['DELETE', '/manage/accounts/admin'],
      ['POST', '/manage/accounts/admin/api-key'],
      ['PUT', '/manage/roles/of-b19'],
      ['POST', '/manage/tokens'],
      ['DELETE', '/manage/tokens'],
      ['POST', '/manage/entities'],
      ['PUT', '/manage/routes/x'],
      ['GET', '/manage/audit'],
      ['GET', '/manage/explain-access'],
      ['GET', '/metrics'],
    ] as const
    for (const [method, path] of calls) {
      const answer = await gateway.request(method, path, { token, ...(method === 'GET' ? {} : { body: {} }) })
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 401, {}])
    }
  })
})
