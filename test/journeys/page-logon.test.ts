/** People log on to the pages of the gateway by username and password, at `/logon/browser`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct, products } from '../support/products.ts'
import { createAccount } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const reading = [{ regex: '/graphql', methods: ['GET'] }]
const otherOrigin = 'https://app.example.org'
const fromPage = { 'sec-fetch-site': 'same-origin' }

/** The cookie of an answer, as a browser sends it back. */
function cookieOf({ headers }: Answer): string {
  const [cookie = ''] = headers.getSetCookie()
  return cookie.split(';')[0] ?? ''
}

function without(answer: Answer, name: string): unknown {
  const { [name]: _, ...rest } = answer.body as Record<string, unknown>
  return rest
}

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product, undefined, {
      trustedProxies: ['127.0.0.1'],
      corsOrigins: [otherOrigin],
    })
  })
  afterAll(() => gateway.close())

  /** Each case has its own address, so that none counts for another. */
  const logOn = (body: unknown, address: string, headers: Readonly<Record<string, string>> = fromPage) =>
    gateway.request('POST', '/logon/browser', {
      token: null,
      body,
      headers: { 'x-forwarded-for': address, ...headers },
    })

  test('a person logs on without an API key, and is answered as by /logon', async () => {
    const { username, password, apiKey } = await createAccount(gateway, 'ada', reading)
    const answer = await logOn({ username, password }, '192.0.2.1')
    const logon = await gateway.request('POST', '/logon', {
      token: null,
      body: { username, password },
      headers: { 'x-xaas-api-key': apiKey },
    })
    const changing = ['x-xaas-auth-token', 'expire']
    const shown = (one: Answer) =>
      Object.entries(one.body as object).filter(([name]) => !changing.includes(name))
    expect([answer.status, shown(answer)]).toEqual([200, shown(logon)])
    const token = (answer.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
    expect((await gateway.request('GET', '/graphql', { token })).status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^gatehouse-browser=[\w-]{65}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
      ),
    ])
    expect(gateway.events).toContainEqual({
      kind: 'LogonSucceeded',
      account: 'ada',
      address: '192.0.2.1',
      requestId: answer.headers.get('x-request-id'),
    })
  })

  test('B2 whatever is wrong, the answer is the same', async () => {
    const { username, password } = await createAccount(gateway, 'b2', reading)
    await createAccount(gateway, 'b2-disabled', reading)
    const disabled = { body: { disabled: true } }
    await gateway.request('PATCH', '/manage/accounts/b2-disabled', disabled)
    const attempts = [
      { username: 'nobody', password },
      { username, password: 'wrong' },
      { username, password: '' },
      { username: 'B2', password },
      { username: 'x'.repeat(5000), password },
      { username: 'b2\0', password },
      { username: 'b2-disabled', password },
    ]
    const answers = await Promise.all(attempts.map((body, index) => logOn(body, `203.0.113.${index}`)))
    expect(answers.map((answer) => [answer.status, without(answer, 'requestId')])).toEqual(
      attempts.map(() => [
        401,
        {
          type: '/docs/guide/problems/logon-refused',
          title: 'The API key, username or password is wrong.',
          status: 401,
          detail: 'The username or password is wrong.',
          code: 'LOGON_REFUSED',
        },
      ]),
    )
    expect(answers.map(({ headers }) => headers.getSetCookie())).toEqual(attempts.map(() => []))
  })

  test('R7 wrong passwords lock the pair of account and address, and no browser that has logged on before', async () => {
    const { username, password } = await createAccount(gateway, 'r7', reading)
    const cookie = cookieOf(await logOn({ username, password }, '192.0.2.70'))
    const wrong = { username, password: 'wrong' }
    const codes = await Promise.all(
      Array.from({ length: 10 }, async () => (await logOn(wrong, '192.0.2.71')).status),
    )
    expect(codes).toEqual(codes.map(() => 401))
    const locked = await logOn({ username, password }, '192.0.2.71')
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect((await logOn({ username, password }, '192.0.2.72')).status).toBe(200)
    const known = await logOn({ username, password }, '192.0.2.71', { ...fromPage, cookie })
    expect([known.status, cookieOf(known)]).toEqual([200, cookie])
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a program', {}],
    ['a program with a custom header', { 'x-requested-with': 'curl' }],
    ['a form of an older browser', { origin: 'OWN' }],
    ['a script of an older browser on another site', { origin: otherOrigin, 'x-requested-with': 'x' }],
    ['a script without an origin', { origin: 'null', 'x-requested-with': 'x' }],
    ['a listed origin', { origin: otherOrigin, 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site', 'x-requested-with': 'x' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ])('only pages of this gateway log on: not %s', async (_what, headers) => {
    const { password } = gateway
    const own = Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', gateway.url)])
    const answer = await logOn({ username: 'admin', password }, '192.0.2.3', Object.fromEntries(own))
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([403, 'CROSS_SITE_REFUSED'])
    expect(answer.headers.getSetCookie()).toEqual([])
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('a script of an older browser on a page of this gateway logs on', async () => {
    const { password, url } = gateway
    const headers = { origin: url, 'x-requested-with': 'gatehouse' }
    expect((await logOn({ username: 'admin', password }, '192.0.2.4', headers)).status).toBe(200)
  })

  test('no preflight request is granted, whatever cors_origins lists', async () => {
    const preflight = { origin: otherOrigin, 'access-control-request-method': 'POST' }
    const at = (path: string) => gateway.request('OPTIONS', path, { token: null, headers: preflight })
    expect((await at('/logon')).status).toBe(204)
    const answer = await at('/logon/browser')
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, null])
  })

  test.each<[unknown, number]>([
    [{ username: 'admin' }, 422],
    [{ username: 'admin', password: 'x', address: '192.0.2.1' }, 422],
    [{ username: 'admin', password: 'x', browsers: [] }, 422],
    ['{', 400],
    [{ username: 'x'.repeat(20_000), password: 'x' }, 413],
  ])('the document %j is refused', async (body, status) => {
    expect((await logOn(body, '192.0.2.5')).status).toBe(status)
  })
})

test('without page_logon there is no such path, and the pages ask for the API key', async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  const gateway = await startTestGateway(product, undefined, { pageLogon: false })
  const body = { username: 'admin', password: gateway.password }
  const answer = await gateway.request('POST', '/logon/browser', { body, headers: fromPage })
  expect(answer.status).toBe(404)
  await gateway.close()
})

test('with https, only this host can set the cookie', async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  const gateway = await startTestGateway(product, undefined, { baseUrl: 'https://api.example.org' })
  const body = { username: 'admin', password: gateway.password }
  const logOn = (origin: string) =>
    gateway.request('POST', '/logon/browser', { body, headers: { origin, 'x-requested-with': 'x' } })
  const answer = await logOn('https://api.example.org')
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-gatehouse-browser=[\w-]{65}; Path=\/; .*; Secure; SameSite=Lax$/),
  ])
  expect((await logOn(gateway.url)).status).toBe(403)
  await gateway.close()
})
