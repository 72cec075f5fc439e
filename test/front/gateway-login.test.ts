import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { backendRequestHeaders } from '../../src/web-front/backend/backend-headers.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import { products } from '../support/products.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront, type TestFrontSettings } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway
let robinKey = ''
let serviceKey = ''
const [product] = products
const password = 'a long pass phrase'

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
  const post = (path: string, body: object) => gateway.request('POST', path, { body })
  const services = [{ regex: '/manage/(tokens|accounts|logon-checks)', methods: ['POST'] }]
  await post('/manage/roles', { name: 'service', authorities: services, gives: '*' })
  await post('/manage/roles', { name: 'reader', authorities: [{ regex: '/graphql', methods: ['GET'] }] })
  const robin = { username: 'robin', password, role: 'reader', expire_days: 30, metadata: { desk: 4 } }
  const service = { username: 'front', password, role: 'service' }
  robinKey = ((await post('/manage/accounts', robin)).body as Record<string, string>).api_key ?? ''
  serviceKey = ((await post('/manage/accounts', service)).body as Record<string, string>).api_key ?? ''
})
afterAll(() => gateway.close())

const provider: ProviderSettings = {
  name: 'gateway',
  label: 'Staff',
  strategy: { kind: 'gateway' },
  transparentTokens: false,
}

function front(settings: TestFrontSettings = {}, more: Partial<ProviderSettings> = {}): Promise<TestFront> {
  return startTestFront({
    providers: [{ ...provider, ...more }],
    gateway: {
      address: gateway.url,
      credentials: async () => ({ apiKey: serviceKey, username: 'front', password }),
    },
    ...settings,
  })
}

const robin = () => ({ username: 'robin', password, api_key: robinKey })

/** Opens the form and sends it. */
async function logIn(
  browser: TestBrowser,
  entered: Readonly<Record<string, string>>,
  path = '/auth/gateway',
  headers: Readonly<Record<string, string>> = {},
) {
  const form = await browser.get(path)
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  return browser.request('/auth/gateway', { form: { state, ...entered }, headers })
}

const tokenOf = async (browser: TestBrowser) => (await browser.get('/session')).body.auth?.accessToken
const statusWith = async (token: string) => (await gateway.request('GET', '/whoami', { token })).status

describe('the form', () => {
  let running: TestFront
  beforeAll(async () => {
    running = await front()
  })
  afterAll(() => running.close())

  test('is said to be where to log in', async () => {
    const browser = new TestBrowser(running.url)
    const session = await browser.get('/session')
    expect([session.status, session.headers.get('content-type'), session.body]).toEqual([
      401,
      'application/problem+json',
      {
        type: '/docs/guide/problems/login-required',
        title: 'No one is logged in.',
        status: 401,
        code: 'LOGIN_REQUIRED',
        detail: 'Log in at /auth/gateway; with the parameter returnTo you come back to a page.',
        requestId: expect.any(String),
        login: '/auth/gateway',
      },
    ])
    expect(session.headers.get('set-cookie')).toBe(null)
    const chooser = await browser.get('/auth?returnTo=/a')
    expect([chooser.status, chooser.location]).toEqual([303, '/auth/gateway?returnTo=%2Fa'])
  })

  test('is plain HTML that runs only the script for passkeys, and can be filled by a keyboard', async () => {
    const page = await new TestBrowser(running.url).get('/auth/gateway')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^script-src 'nonce-[\w-]+'; style-src 'nonce-[\w-]+'; default-src 'none'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; connect-src 'self'$/,
    )
    for (const name of ['username', 'password']) {
      expect(page.text).toContain(`<label for="${name}">`)
      expect(page.text).toMatch(new RegExp(`<input id="${name}" name="${name}" [^>]*required`))
    }
    expect(page.text).not.toContain('api_key')
    expect(page.text).toContain('<html lang="en">')
    expect(page.text.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" nonce="[\w-]+">$/),
    ])
    expect(page.text).not.toMatch(/style="|\son\w+=/)
  })

  test.each([
    ['username and password', () => ({ username: 'robin', password }), ['gatehouse-browser', 'gatehouse']],
    ['an API key as well, as forms of before sent it', robin, ['gatehouse']],
  ])('logs in with an account of the gateway, by %s', async (_what, entered, cookies) => {
    const browser = new TestBrowser(running.url)
    const answer = await logIn(browser, entered(), '/auth/gateway?returnTo=/%3Fa%3Db')
    expect([answer.status, answer.location]).toEqual([303, '/?a=b'])
    const { status, body } = await browser.get('/session')
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        auth: {
          account_id: 'robin',
          account_role: 'reader',
          displayName: 'robin',
          strategy: 'gateway',
          provider: 'gateway',
          properties: {},
          expires: expect.stringMatching(/^\d{4}-/),
          metadata: { desk: 4 },
          accessToken: expect.stringMatching(/^ght_/),
          credentialExpires: expect.stringMatching(/^\d{4}-/),
        },
        backend: '/backend',
        configs: {},
        query: {},
        params: {},
      },
    ])
    expect(await statusWith(body.auth.accessToken)).toBe(200)
    expect([...browser.cookies.keys()].toSorted()).toEqual(cookies.toSorted())
  })

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['a wrong name', { username: 'nobody' }],
    ['the key of another account', { api_key: 'ghk_other' }],
    ['a key that no header can hold', { api_key: 'a\r\nX: y' }],
    ['a wrong password without a key', { api_key: '', password: 'wrong' }],
    ['a wrong name without a key', { api_key: '', username: 'nobody' }],
  ])('%s is refused with the form again', async (_what, wrong) => {
    const browser = new TestBrowser(running.url)
    const answer = await logIn(browser, { ...robin(), ...wrong }, '/auth/gateway?returnTo=/x')
    expect(answer.status).toBe(401)
    const mistake = 'api_key' in wrong && wrong.api_key === '' ? 'or password' : 'password or API key'
    expect(answer.text).toMatch(
      new RegExp(`<p role="alert" id="mistake">Username,? ${mistake} is wrong.</p>`),
    )
    expect(answer.text).not.toContain(password)
    expect(answer.text).not.toContain(robinKey)
    expect((await browser.get('/session')).status).toBe(401)
    const state = /name="state" value="([^"]+)"/.exec(answer.text)?.[1] ?? ''
    const second = await browser.request('/auth/gateway', { form: { state, ...robin() } })
    expect([second.status, second.location]).toEqual([303, '/x'])
  })

  test('login_hint fills in the username, and the password is next', async () => {
    const input = async (query: string) => {
      const { text } = await new TestBrowser(running.url).get(`/auth/gateway${query}`)
      return [/id="username"[^>]*value="([^"]*)"/.exec(text)?.[1], /id="(\w+)"[^>]*autofocus/.exec(text)?.[1]]
    }
    expect(await input('?login_hint=ada%40example.org')).toEqual(['ada@example.org', 'password'])
    expect(await input('?login_hint=%22%3E%3Cscript%3E')).toEqual(['&#34;&#62;&#60;script&#62;', 'password'])
    for (const query of [
      '',
      '?login_hint=',
      '?login_hint=a&login_hint=b',
      `?login_hint=${'a'.repeat(321)}`,
    ]) {
      expect(await input(query)).toEqual(['', 'username'])
    }
    const chosen = await new TestBrowser(running.url).get('/auth?login_hint=a%26b&returnTo=/x')
    expect([chosen.status, chosen.location]).toEqual([303, '/auth/gateway?returnTo=%2Fx&login_hint=a%26b'])
  })

  test('what was entered is shown as text', async () => {
    const answer = await logIn(new TestBrowser(running.url), { ...robin(), username: '"><script>x</script>' })
    expect(answer.text).toContain('value="&#34;&#62;&#60;script&#62;x&#60;/script&#62;"')
  })

  test('is taken from nobody who did not open it', async () => {
    const [browser, other] = [new TestBrowser(running.url), new TestBrowser(running.url)]
    const form = await browser.get('/auth/gateway')
    const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    for (const sent of [{}, { state: 'x' }, { state }]) {
      const answer = await other.request('/auth/gateway', { form: { ...sent, ...robin() } })
      expect(answer.status).toBe(400)
      expect((await other.get('/session')).status).toBe(401)
    }
    const foreign = await browser.request('/auth/gateway', {
      form: { state, ...robin() },
      headers: { origin: 'https://evil.example' },
    })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'CROSS_SITE_REFUSED'])
    expect((await browser.request('/auth/gateway', { form: { state, ...robin() } })).status).toBe(303)
    expect((await browser.request('/auth/gateway', { form: { state, ...robin() } })).status).toBe(400)
  })

  test('a log-in gives another id, and the one before is dead', async () => {
    const browser = new TestBrowser(running.url)
    await browser.get('/?planted=1')
    const before = browser.cookies.get('gatehouse') ?? ''
    await logIn(browser, robin())
    expect(browser.cookies.get('gatehouse')).not.toBe(before)
    const fixed = new TestBrowser(running.url)
    fixed.cookies.set('gatehouse', before)
    expect((await fixed.get('/session')).status).toBe(401)
    const first = browser.cookies.get('gatehouse') ?? ''
    const firstToken = await tokenOf(browser)
    await logIn(browser, robin())
    fixed.cookies.set('gatehouse', first)
    expect((await fixed.get('/session')).status).toBe(401)
    expect(await statusWith(firstToken)).toBe(401)
  })

  test('a log-out ends the token at the gateway', async () => {
    const browser = new TestBrowser(running.url)
    await logIn(browser, robin())
    const token = await tokenOf(browser)
    expect((await browser.request('/logout', { method: 'POST' })).status).toBe(204)
    expect([(await browser.get('/session')).status, await statusWith(token)]).toEqual([401, 401])
  })

  test('what happened is told without secrets', async () => {
    const told = JSON.stringify(running.events)
    expect(told).toContain('"kind":"LoginSucceeded","provider":"gateway","account":"robin"')
    expect(told).toContain('"kind":"LoginFailed","provider":"gateway","code":"LOGON_REFUSED"')
    for (const secret of [password, robinKey, 'ght_']) expect(told).not.toContain(secret)
  })
})

test('without an account of the front at the gateway the form asks for the API key', async () => {
  const running = await front({ gateway: { address: gateway.url } })
  onTestFinished(() => running.close())
  const browser = new TestBrowser(running.url)
  expect((await browser.get('/auth/gateway')).text).toMatch(
    /<input id="api_key" name="api_key" [^>]*required/,
  )
  expect((await logIn(browser, { username: 'robin', password })).status).toBe(401)
  expect((await logIn(browser, robin())).status).toBe(303)
})

describe('R7: guessing through the front', () => {
  let running: TestFront
  beforeAll(async () => {
    running = await front({ trustedProxies: ['127.0.0.1'] })
  })
  afterAll(() => running.close())

  const newBrowser = () => new TestBrowser(running.url)
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const enter = (browser: TestBrowser, username: string, secret: string, address: string) =>
    logIn(browser, { username, password: secret }, '/auth/gateway', from(address))
  const account = (username: string) =>
    gateway.request('POST', '/manage/accounts', { body: { username, password, role: 'reader' } })

  test('locks the person and the address, says so on the form, and keeps out nobody else', async () => {
    await account('kim')
    const known = newBrowser()
    expect((await enter(known, 'kim', password, '192.0.2.1')).status).toBe(303)
    const guesser = newBrowser()
    const statuses = []
    for (let number = 0; number < 10; number += 1)
      statuses.push((await enter(guesser, 'kim', 'wrong', '192.0.2.1')).status)
    expect(statuses).toEqual(Array(10).fill(401))
    const refused = await enter(newBrowser(), 'kim', password, '192.0.2.1')
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringMatching(
        /id="mistake">Too many logins failed\. Try again in \d+ seconds\.<.*<form method="post"/s,
      ),
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const others = [
      await enter(newBrowser(), 'kim', password, '192.0.2.2'),
      await enter(newBrowser(), 'robin', password, '192.0.2.1'),
      await enter(known, 'kim', password, '192.0.2.1'),
    ]
    expect(others.map(({ status }) => status)).toEqual([303, 303, 303])
  })

  test('with invented keys locks the person and the address, and not the front itself', async () => {
    const withKey = (username: string, address: string) =>
      logIn(newBrowser(), { username, password: 'wrong', api_key: 'k' }, '/auth/gateway', from(address))
    const statuses = []
    for (let number = 0; number < 11; number += 1) statuses.push((await withKey('front', '192.0.2.6')).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    await gateway.request('DELETE', '/manage/tokens?account=front')
    expect((await enter(newBrowser(), 'robin', password, '192.0.2.6')).status).toBe(303)
  })

  test('by names that are invented locks nobody', async () => {
    const names = Array.from({ length: 120 }, (_, number) =>
      enter(newBrowser(), `invented-${number}`, 'Summer 2026!', '192.0.2.3'),
    )
    const statuses = new Set((await Promise.all(names)).map(({ status }) => status))
    expect(statuses).toContain(401)
    expect((await enter(newBrowser(), 'robin', password, '192.0.2.3')).status).toBe(303)
    expect((await enter(newBrowser(), 'robin', 'wrong', '192.0.2.3')).status).toBe(429)
  })

  test('many right log-ins at the same time are all let in', async () => {
    await account('lee')
    const pages = await Promise.all(
      Array.from({ length: 30 }, () => enter(newBrowser(), 'lee', password, '192.0.2.4')),
    )
    expect(pages.map(({ status }) => status)).toEqual(Array(30).fill(303))
  })

  test('the cookie of a known browser is for nobody else to read, and the backend does not get it', async () => {
    const browser = newBrowser()
    const page = await enter(browser, 'robin', password, '192.0.2.5')
    const cookie = page.headers.getSetCookie().find((line) => line.startsWith('gatehouse-browser='))
    expect(cookie).toMatch(/^gatehouse-browser=[\w-]{65}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain('robin')
    const rules = { tokenHeader: 'X-Xaas-Auth-Token', cookieName: 'gatehouse' }
    const headers = [{ name: 'Cookie', value: 'gatehouse-browser=x; a=b', spelling: 'cookie' }]
    const call = {
      requestId: 'r',
      browserTokens: 'dropped',
      credential: undefined,
      identity: [],
    } as const
    expect(backendRequestHeaders(headers, call, rules)).toContainEqual({ ...headers[0], value: 'a=b' })
  })
})

describe('tokens', () => {
  // What is made again, and what is shown.
  test.each([
    [false, false, '', { shown: true, again: false }],
    [false, false, '?refresh=true', { shown: true, again: false }],
    [true, false, '', { shown: false, again: false }],
    [true, false, '?refresh=true', { shown: false, again: false }],
    [false, true, '', { shown: true, again: true }],
    [false, true, '?refresh=false', { shown: true, again: true }],
    [false, true, '?refresh=true', { shown: true, again: true }],
    [true, true, '', { shown: false, again: false }],
    [true, true, '?refresh=true', { shown: false, again: true }],
  ])('transparentTokens %s, generator %s, %s', async (transparentTokens, generates, query, expected) => {
    const generator = generates ? { generator: { kind: 'gateway' } as const } : {}
    const running = await front({}, { transparentTokens, ...generator })
    try {
      const browser = new TestBrowser(running.url)
      await logIn(browser, robin())
      const logons = () => gateway.events.filter(({ kind }) => kind === 'LogonSucceeded')
      const before = logons().filter((event) => 'by' in event && event.by === 'front').length
      const first = await browser.get(`/session${query}`)
      const after = logons().filter((event) => 'by' in event && event.by === 'front').length
      const { auth } = first.body
      expect({
        shown: 'accessToken' in auth || 'credentialExpires' in auth,
        again: after - before === 1,
      }).toEqual(expected)
      if (!expected.shown) expect(first.text).not.toContain('ght_')
      expect(auth.metadata).toEqual({ desk: 4 })
    } finally {
      await running.close()
    }
  })

  test('that were made before end with the session as well', async () => {
    const running = await front({}, { generator: { kind: 'gateway' } })
    try {
      const browser = new TestBrowser(running.url)
      await logIn(browser, robin())
      const made = [await tokenOf(browser), await tokenOf(browser), await tokenOf(browser)]
      expect(await Promise.all(made.map(statusWith))).toEqual([200, 200, 200])
      await browser.request('/logout', { method: 'POST' })
      expect(await Promise.all(made.map(statusWith))).toEqual([401, 401, 401])
    } finally {
      await running.close()
    }
  })

  test('are not made too often: then the session shows the one that it has', async () => {
    let milliseconds = Date.now()
    const running = await front({ now: () => new Date(milliseconds) }, { generator: { kind: 'gateway' } })
    try {
      const { body: made } = await gateway.request('POST', '/manage/accounts', {
        body: { username: 'often', password, role: 'reader' },
      })
      const browser = new TestBrowser(running.url)
      await logIn(browser, {
        username: 'often',
        password,
        api_key: (made as Record<string, string>).api_key ?? '',
      })
      const tokens: string[] = []
      for (let call = 0; call < 130; call++) {
        const answer = await browser.get('/session')
        expect(answer.status).toBe(200)
        tokens.push(answer.body.auth.accessToken)
      }
      const [last = ''] = tokens.slice(-1)
      expect(new Set(tokens).size).toBe(120)
      expect(await statusWith(last)).toBe(200)
      await gateway.request('DELETE', '/manage/accounts/often')
      milliseconds += 1001
      expect((await browser.get('/session')).status).toBe(401)
    } finally {
      await running.close()
    }
  })

  test('an account that is gone ends the session', async () => {
    const running = await front({}, { generator: { kind: 'gateway' } })
    try {
      const made = await gateway.request('POST', '/manage/accounts', {
        body: { username: 'brief', password, role: 'reader' },
      })
      const browser = new TestBrowser(running.url)
      await logIn(browser, {
        username: 'brief',
        password,
        api_key: (made.body as Record<string, string>).api_key ?? '',
      })
      expect((await browser.get('/session')).status).toBe(200)
      await gateway.request('DELETE', '/manage/accounts/brief')
      const answers = [await browser.get('/session'), await browser.get('/session')]
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [401, 'LOGIN_REQUIRED'],
        [401, 'LOGIN_REQUIRED'],
      ])
    } finally {
      await running.close()
    }
  })

  test('a gateway that is away keeps nobody out who has a token, and says so to others', async () => {
    if (product === undefined) throw new Error('There is no product to test on.')
    const away = await startTestGateway(product)
    const credentials = { username: 'admin', password: away.password, apiKey: away.apiKey }
    const running = await front(
      { gateway: { address: away.url, credentials: async () => credentials } },
      { generator: { kind: 'gateway' } },
    )
    const browser = new TestBrowser(running.url)
    const entered = { username: 'admin', password: away.password, api_key: away.apiKey }
    await logIn(browser, entered)
    const token = await tokenOf(browser)
    const other = new TestBrowser(running.url)
    const form = await other.get('/auth/gateway')
    await away.close()
    expect(await tokenOf(browser)).toBe(token)
    const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const refused = await other.request('/auth/gateway', { form: { state, ...entered } })
    expect(refused.status).toBe(503)
    expect(refused.text).toContain('The login service cannot be reached.')
    await running.close()
  })
})
