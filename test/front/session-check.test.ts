/** Forward authentication: a reverse proxy asks the web front about requests for another application. */

import { readFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { hasNginx, startNginxWith } from '../support/nginx.ts'
import { products } from '../support/products.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront, type TestFrontSettings } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { startEcho } from '../support/upstream-servers.ts'

const [product] = products
const password = 'a long pass phrase'
let gateway: TestGateway
let running: TestFront
let now = 0

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product, undefined, { tokenTtlSeconds: 86_400 })
  for (const name of ['reader', 'écrivains']) {
    await gateway.request('PUT', `/manage/roles/${encodeURIComponent(name)}`, { body: { authorities: [] } })
  }
  running = await front({ now: () => new Date(now) })
})
beforeEach(() => {
  now = Date.now()
})
afterAll(async () => {
  await running?.close()
  await gateway?.close()
})

function front(settings: TestFrontSettings = {}): Promise<TestFront> {
  return startTestFront({
    providers: [{ name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: true }],
    gateway: {
      address: gateway.url,
      credentials: async () => ({ username: 'admin', password: gateway.password, apiKey: gateway.apiKey }),
    },
    baseUrl: 'http://localhost:8080',
    ...settings,
  })
}

/** A new account with some roles. */
async function createAccount(username: string, role: readonly string[] = ['reader', 'écrivains']) {
  await gateway.request('POST', '/manage/accounts', { body: { username, password, role } })
  return username
}

async function logIn(url: string, username: string): Promise<TestBrowser> {
  const browser = new TestBrowser(url)
  const form = await browser.get('/auth/gateway')
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const answer = await browser.request('/auth/gateway', { form: { state, username, password } })
  expect(answer.status).toBe(303)
  return browser
}

const told = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-gatehouse')))

/** A person who opens a page of the application behind the proxy. */
const opens = {
  accept: 'text/html,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'x-forwarded-host': 'localhost:8080',
  'x-forwarded-method': 'GET',
  'x-forwarded-uri': '/wiki/?page=a&b=%26',
}
const login = 'http://localhost:8080/auth/gateway?returnTo=%2Fwiki%2F%3Fpage%3Da%26b%3D%2526'

describe('GET /session/check', () => {
  test('says who is logged in, with all roles', async () => {
    const browser = await logIn(running.url, await createAccount('ada'))
    const { status, text, headers } = await browser.get('/session/check')
    expect([status, text, told(headers), headers.get('cache-control'), headers.get('set-cookie')]).toEqual([
      204,
      '',
      { 'x-gatehouse-account': 'ada', 'x-gatehouse-roles': 'reader, %C3%A9crivains' },
      'no-store',
      null,
    ])
  })

  test.each([
    ['a page', {}, opens, 401, { 'x-gatehouse-refused': 'login', 'x-gatehouse-login': login }],
    ['a page, with a redirect', { redirect: 'true' }, opens, 303, {}],
    [
      'a call of a script',
      { redirect: 'true' },
      { ...opens, accept: '*/*', 'sec-fetch-dest': 'empty' },
      401,
      { 'x-gatehouse-refused': 'login' },
    ],
    [
      'another host',
      { redirect: 'true' },
      { ...opens, 'x-forwarded-host': 'evil.example' },
      401,
      { 'x-gatehouse-refused': 'login' },
    ],
    [
      'a host that is none',
      { redirect: 'true' },
      { ...opens, 'x-forwarded-host': 'a b' },
      401,
      { 'x-gatehouse-refused': 'login' },
    ],
  ])(
    'without a session, %s is led to log in as far as it can be',
    async (_what, query, headers, status, header) => {
      const answer = await new TestBrowser(running.url).get(
        `/session/check?${new URLSearchParams(query)}`,
        headers,
      )
      expect([answer.status, told(answer.headers), answer.location]).toEqual([
        status,
        header,
        status === 303 ? login : '',
      ])
    },
  )

  test('the page of a 401 leads to where the person wanted to go', async () => {
    const page = await new TestBrowser(running.url).get('/session/check', opens)
    expect(page.text).toContain(`href="${login}"`)
  })

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', '/auth/gateway', ''])(
    'an address to come back to that leads elsewhere is not used: %s',
    async (uri) => {
      const headers = { ...opens, 'x-forwarded-uri': uri }
      const answer = await new TestBrowser(running.url).get('/session/check?redirect=true', headers)
      expect([answer.status, answer.location]).toEqual([
        303,
        'http://localhost:8080/auth/gateway?returnTo=%2F',
      ])
    },
  )

  test('a role is asked for by name, or one of several', async () => {
    const browser = await logIn(running.url, await createAccount('ben'))
    const statusOf = async (query: string) => (await browser.get(`/session/check?${query}`)).status
    expect(await statusOf('role=%C3%A9crivains')).toBe(204)
    expect(await statusOf('role=editor&role=reader')).toBe(204)
    expect(await statusOf('role=')).toBe(400)
    const { status, body, headers } = await browser.get('/session/check?role=editor&role=chief')
    expect([status, body.code, body.detail, told(headers)]).toEqual([
      403,
      'ROLE_MISSING',
      'This needs the role editor or chief.',
      {},
    ])
  })

  test.each([
    ['a form of another site', { 'x-forwarded-method': 'POST', 'sec-fetch-site': 'cross-site' }, 403],
    ['a form of its own', { 'x-forwarded-method': 'POST', 'sec-fetch-site': 'same-origin' }, 204],
    [
      'a form of its own, in an old browser',
      { 'x-forwarded-method': 'POST', origin: 'http://localhost:8080' },
      204,
    ],
    ['a program', { 'x-forwarded-method': 'DELETE' }, 403],
    ['a program that says what it is', { 'x-forwarded-method': 'DELETE', 'x-requested-with': 'curl' }, 204],
    ['a WebSocket of another site', { 'sec-websocket-key': 'k', origin: 'https://evil.example' }, 403],
    ['a WebSocket of its own', { 'sec-websocket-key': 'k', origin: 'http://localhost:8080' }, 204],
    ['an image on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ])('%s is treated like a call of a backend', async (what, headers, status) => {
    const browser = await logIn(running.url, await createAccount(`by-${what.replaceAll(' ', '-')}`))
    expect((await browser.get('/session/check', headers)).status).toBe(status)
  })

  test('a link on another site leads to the page', async () => {
    const browser = await logIn(running.url, await createAccount('abe'))
    // `fetch` sends a mode of its own.
    const { status } = await new Promise<{ readonly status?: number | undefined }>((resolve, reject) => {
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const headers = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
      sendRequest(`${running.url}/session/check`, { headers }, (answer) => {
        answer.resume()
        resolve({ status: answer.statusCode })
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(204)
  })

  test('keeps a session in use, and ends with it', async () => {
    const browser = await logIn(running.url, await createAccount('cleo'))
    for (const _ of [1, 2, 3]) {
      now += 20 * 60_000
      expect((await browser.get('/session/check')).status).toBe(204)
    }
    now += 31 * 60_000
    expect((await browser.get('/session/check')).status).toBe(401)
  })

  test('a request that is refused keeps no session alive', async () => {
    const browser = await logIn(running.url, await createAccount('dora'))
    now += 20 * 60_000
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    expect((await browser.get('/session/check', foreign)).status).toBe(403)
    now += 20 * 60_000
    expect((await browser.get('/session/check')).status).toBe(401)
  })

  test('refuses an account that was deleted', async () => {
    const browser = await logIn(running.url, await createAccount('emil'))
    expect((await browser.get('/session/check')).status).toBe(204)
    await gateway.request('DELETE', '/manage/accounts/emil')
    now += 1000
    expect((await browser.get('/session/check')).status).toBe(401)
  })

  test('is not there where no one logs in', async () => {
    const open = await startTestFront()
    onTestFinished(() => open.close())
    expect((await new TestBrowser(open.url).get('/session/check')).status).toBe(404)
  })
})

describe.runIf(hasNginx)('behind nginx, as the documentation configures it', () => {
  async function start() {
    const page = await readFile(
      new URL('../../docs/how-to/forward-authentication.md', import.meta.url),
      'utf8',
    )
    const [, text = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? []
    const port = await freePort()
    const url = `http://localhost:${port}`
    const protectedBy = await front({ baseUrl: url })
    const wiki = await startEcho()
    const nginx = await startNginxWith(
      text
        .replace('listen 80;', `listen 127.0.0.1:${port};`)
        .replaceAll('http://127.0.0.1:8080', protectedBy.url)
        .replace('http://127.0.0.1:3000', wiki.url),
      `http://127.0.0.1:${port}`,
    )
    onTestFinished(async () => {
      await nginx.stop()
      await protectedBy.close()
    })
    return url
  }

  test('people log in, come back, and the application learns who calls', async () => {
    const url = await start()
    const stranger = new TestBrowser(url)
    const opened = await stranger.get('/wiki/?page=a&b=%26', {
      accept: 'text/html',
      'sec-fetch-dest': 'document',
    })
    expect([opened.status, opened.location]).toEqual([
      303,
      `${url}/auth/gateway?returnTo=%2Fwiki%2F%3Fpage%3Da%26b%3D%2526`,
    ])
    const called = await stranger.get('/wiki/', { accept: '*/*' })
    expect([called.status, told(called.headers)]).toEqual([401, { 'x-gatehouse-refused': 'login' }])

    const browser = new TestBrowser(url)
    const form = await browser.get(opened.location)
    const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const username = await createAccount('fay', ['reader'])
    const entered = await browser.request('/auth/gateway', { form: { state, username, password } })
    expect([entered.status, entered.location]).toEqual([303, '/wiki/?page=a&b=%26'])
    const forged = { 'X-Gatehouse-Account': 'admin', 'x-gatehouse-roles': 'admin' }
    const page = await browser.get(entered.location, forged)
    expect([page.status, page.body.url, callerIn(page.body)]).toEqual([
      200,
      '/wiki/?page=a&b=%26',
      [
        ['X-Gatehouse-Account', 'fay'],
        ['X-Gatehouse-Roles', 'reader'],
      ],
    ])
    const own = { 'sec-fetch-site': 'same-origin' }
    const sent = await browser.request('/wiki/', { form: { text: 'long'.repeat(5000) }, headers: own })
    expect([sent.status, sent.body.method]).toEqual([200, 'POST'])
    const foreign = await browser.request('/wiki/', { form: {}, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(foreign.status).toBe(403)
    expect((await browser.get('/gatehouse-check')).status).toBe(404)
  })
})

const callerIn = ({ headers }: { readonly headers: readonly (readonly [string, string])[] }) =>
  headers.filter(([name]) => /^x-gatehouse/i.test(name))
