/** Several backends behind one web front: whose calls go where, with which token, and how each learns who calls. */
import { createServer } from 'node:http'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { parseTarget } from '../../src/proxy/target.ts'
import type { BackendSettings, BackendToken } from '../../src/web-front/backend/backend-settings.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import { freePort } from '../support/free-port.ts'
import { type OpenidProvider, startOpenidProvider } from '../support/openid-provider.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFrontSettings } from '../support/test-front.ts'
import { closedPort, type EchoServer, startEcho, startHttp } from '../support/upstream-servers.ts'

let provider: OpenidProvider
let baseUrl: string

beforeAll(async () => {
  baseUrl = `http://localhost:${await freePort()}`
  provider = await startOpenidProvider(() => [`${baseUrl}/auth/staff/callback`])
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.away = undefined
  provider.slowMs = 0
})

const oauth = () => ({
  provider: 'staff',
  server: { kind: 'discovered' as const, issuer: provider.issuer },
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  clientAuthentication: 'basic' as const,
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  parameters: {},
})

const staff = (more: Partial<ProviderSettings> = {}): ProviderSettings => ({
  name: 'staff',
  label: 'Staff',
  transparentTokens: true,
  strategy: {
    kind: 'openid',
    oauth: oauth(),
    mapping: {
      accountId: 'sub',
      displayName: 'name',
      avatar: 'picture',
      accountRole: 'department',
      properties: ['email', 'email_verified'],
    },
    endsProviderSession: false,
  },
  ...more,
})

const clientToken = (): BackendToken => ({ kind: 'client', oauth: oauth(), scopes: ['api'] })

function backendAt(proxyPath: string, url: string, more: Partial<BackendSettings> = {}): BackendSettings {
  const target = parseTarget(url)
  if ('mistake' in target) throw new Error(target.mistake)
  const timeouts = { connect: 2000, response: 1500, idle: 10_000 }
  return { proxyPath, target, tokenHeader: 'X-Xaas-Auth-Token', timeouts, ...more }
}

async function startFront(backends: readonly BackendSettings[], more: TestFrontSettings = {}) {
  const running = await startTestFront({ baseUrl, providers: [staff()], backends, ...more })
  onTestFinished(() => running.close())
  return running
}

async function logIn(url: string): Promise<TestBrowser> {
  const browser = new TestBrowser(url)
  const begun = await browser.get('/auth/staff')
  const atCallback = await browser.follow(begun.location, (at) => at.includes('/callback'))
  const done = await browser.get(atCallback.url.replace(baseUrl, url))
  expect([done.status, done.location]).toEqual([303, '/'])
  return browser
}

const own = { 'sec-fetch-site': 'same-origin' }

/** The values of a header of the last request, under any spelling of its name. */
function lastValues(echo: EchoServer, name: string): readonly string[] {
  const headers = echo.received.at(-1)?.headers ?? []
  return headers
    .filter(([other]) => other.toLowerCase().replaceAll('_', '-') === name)
    .map(([, value]) => value)
}

const clientGrants = () => provider.events.filter((event) => event === 'grant.success').length

test('the longest path decides, and each backend gets the token that it is configured for', async () => {
  const [users, clients, others] = [await startEcho(), await startEcho(), await startEcho()]
  const generator = { kind: 'refresh_token' } as const
  const running = await startFront(
    [
      backendAt('/api', users.url),
      backendAt('/api/orders', clients.url, { token: clientToken(), tokenHeader: 'Authorization' }),
      backendAt('/maps', `${others.url}/v2`, { token: { kind: 'none' } }),
    ],
    { providers: [staff({ generator })], surroundings: { backend: '/api', configs: {} } },
  )
  const browser = await logIn(running.url)
  expect((await browser.get('/session')).body.backend).toBe('/api')
  const sent = {
    'x-xaas-auth-token': 'forged',
    X_Xaas_Api_Key: 'forged',
    authorization: 'Basic dTpw',
    'x-gatehouse-account': 'root',
    'X-GATEHOUSE-Roles': 'root',
    x_gatehouse_identity: 'root',
  }
  for (const path of ['/api', '/api/ordersx', '/api/orders/1', '/maps/tiles?x=1']) {
    expect((await browser.get(path, sent)).status).toBe(200)
  }
  const urls = (echo: EchoServer) => echo.received.map(({ url }) => url)
  expect([urls(users), urls(clients), urls(others)]).toEqual([['/', '/ordersx'], ['/1'], ['/v2/tiles?x=1']])
  const tokens = (echo: EchoServer) => [
    lastValues(echo, 'x-xaas-auth-token'),
    lastValues(echo, 'authorization'),
  ]
  expect(tokens(users)).toEqual([[expect.stringMatching(/^[\w-]{20,}$/)], []])
  expect(tokens(clients)).toEqual([[], [expect.stringMatching(/^Bearer [\w-]{20,}$/)]])
  expect(tokens(others)).toEqual([[], ['Basic dTpw']])
  expect(lastValues(clients, 'authorization')[0]).not.toContain(lastValues(users, 'x-xaas-auth-token')[0])
  for (const echo of [users, clients, others]) {
    expect(JSON.stringify(echo.received)).not.toMatch(/forged|root/)
  }
  await browser.get('/maps/x', { authorization: `Bearer ght_${'x'.repeat(43)}` })
  expect(lastValues(others, 'authorization')).toEqual([])
})

describe('the token of the web front itself', () => {
  test('is one for all people and backends with the same scope, however many call at once', async () => {
    const [one, other] = [await startEcho(), await startEcho()]
    const running = await startFront([
      backendAt('/one', one.url, { token: clientToken() }),
      backendAt('/other', other.url, { token: clientToken() }),
    ])
    const [ada, eve] = [await logIn(running.url), await logIn(running.url)]
    const before = clientGrants()
    const pages = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? ada : eve).get(index % 3 ? '/one/x' : '/other/x'),
      ),
    )
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
    expect(clientGrants() - before).toBe(1)
    const tokens = [...one.received, ...other.received].map(
      ({ headers }) => headers.find(([name]) => /^x-xaas-auth/i.test(name))?.[1],
    )
    expect([tokens.length, new Set(tokens).size]).toEqual([30, 1])
  })

  test('is replaced once when a backend refuses it, and a safe call is repeated', async () => {
    const seen: string[] = []
    const { url } = await startHttp((request, response) => {
      const token = String(request.headers['x-xaas-auth-token'])
      seen.push(token)
      request.resume()
      response.writeHead(token === seen[0] ? 401 : 200, { 'www-authenticate': 'Bearer' }).end('x')
    })
    const running = await startFront([backendAt('/one', url, { token: clientToken() })])
    const browser = await logIn(running.url)
    expect((await browser.request('/one/x', { method: 'POST', headers: own })).status).toBe(401)
    expect((await browser.get('/one/x')).status).toBe(200)
    expect((await browser.request('/one/x', { method: 'POST', headers: own })).status).toBe(200)
    expect([seen.length, new Set(seen).size]).toEqual([4, 2])
  })

  test('that cannot be had is a problem of its backend only', async () => {
    const echo = await startEcho()
    const given = {
      ...oauth(),
      server: { kind: 'discovered' as const, issuer: `http://127.0.0.1:${await closedPort()}` },
    }
    const running = await startFront([
      backendAt('/one', echo.url, { token: { kind: 'client', oauth: given, scopes: [] } }),
      backendAt('/other', echo.url),
    ])
    const browser = await logIn(running.url)
    const refused = await browser.get('/one/x')
    expect([refused.status, refused.body.code]).toEqual([503, 'LOGIN_UNAVAILABLE'])
    expect((await browser.get('/other/x')).status).toBe(200)
    expect(echo.received.length).toBe(1)
  })
})

describe('who calls', () => {
  const forged = {
    'X-Gatehouse-Account': 'root',
    'x-gatehouse-ROLES': 'root',
    x_gatehouse_identity: 'root',
    'X-Gatehouse-Identity': 'root',
  }

  test('is in headers, without a generator, and never from the browser', async () => {
    const [plain, told] = [await startEcho(), await startEcho()]
    const running = await startFront([
      backendAt('/plain', plain.url),
      backendAt('/told', told.url, { identity: { kind: 'headers' }, token: { kind: 'none' } }),
    ])
    const account = provider.account
    provider.account = '日本, Ada'
    const browser = await logIn(running.url)
    provider.account = account
    for (const path of ['/plain/x', '/told/x']) await browser.get(path, forged)
    const of = (echo: EchoServer) =>
      ['account', 'roles', 'identity'].map((name) => lastValues(echo, `x-gatehouse-${name}`))
    expect(of(plain)).toEqual([[], [], []])
    expect(of(told)).toEqual([['staff:%E6%97%A5%E6%9C%AC%2C%20Ada'], ['ports'], []])
  })

  test('is never told by the browser, whose options of a request are passed on', async () => {
    const echo = await startEcho()
    const running = await startFront([backendAt('/told', echo.url, { identity: { kind: 'headers' } })])
    const browser = await logIn(running.url)
    const received = async (sent: Readonly<Record<string, string>>) => {
      await browser.get('/told/x', sent)
      return echo.received.pop()?.headers.filter(([name]) => name.toLowerCase() !== 'x-request-id')
    }
    const options = { 'X-Gatehouse-Explain': 'true', 'x-gatehouse-fresh': 'true' }
    const others = Object.fromEntries(
      [
        'X-Gatehouse',
        'X-Gatehouse-Refused',
        'X-Gatehouse-Login',
        'X-Gatehouse-Schema',
        'X-Gatehouse-Other',
        'X_Gatehouse_Explain',
        'X-Gatehouse_Fresh',
        'X-Gatehouse-Explain-',
        'X-Gatehouse-Explain-Account',
      ].map((name) => [name, 'root']),
    )
    const without = (await received({})) ?? []
    const names = without.map(([name]) => name.toLowerCase())
    expect(without.slice(-2)).toEqual([
      ['X-Gatehouse-Account', 'staff:ada'],
      ['X-Gatehouse-Roles', 'ports'],
    ])
    expect(await received({ ...forged, ...others })).toEqual(without)
    const all = (await received({ ...forged, ...options, ...others })) ?? []
    const passed = Object.entries(options)
    expect(all.filter(([name]) => !names.includes(name.toLowerCase()))).toEqual(passed)
    expect(all.filter(([name]) => names.includes(name.toLowerCase()))).toEqual(without)
  })

  test('is in a signed token that a backend verifies by the published keys, at any node', async () => {
    const [echo, audience] = [await startEcho(), 'orders']
    const secrets = [
      'a secret of all nodes, thirty-two characters',
      'the one before it, of thirty-two characters',
    ]
    const identity = { kind: 'jwt', audience } as const
    const backends = [
      backendAt('/told', echo.url, { identity }),
      backendAt('/next', echo.url, { identity: { kind: 'jwt', audience: echo.url } }),
    ]
    const first = await startFront(backends, { session: { secrets } })
    const second = await startFront(backends, { session: { secrets: secrets.slice(1) } })
    const browser = await logIn(first.url)
    await browser.get('/told/x', forged)
    const tokens = lastValues(echo, 'x-gatehouse-identity')
    expect(tokens.length).toBe(1)
    expect(['account', 'roles'].map((name) => lastValues(echo, `x-gatehouse-${name}`))).toEqual([[], []])
    const keys = createRemoteJWKSet(new URL(`${first.url}/.well-known/jwks.json`))
    const [token = ''] = tokens
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: baseUrl, audience })
    expect(payload).toEqual({
      iss: baseUrl,
      aud: audience,
      sub: 'staff:ada',
      account: 'staff:ada',
      roles: ['ports'],
      email: 'ada@example.org',
      email_verified: true,
      name: 'Name of ada',
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 60,
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(protectedHeader.alg).toBe('ES256')

    await browser.get('/told/y')
    expect(lastValues(echo, 'x-gatehouse-identity')).toEqual([token])
    await browser.get('/next/y')
    const [other = ''] = lastValues(echo, 'x-gatehouse-identity')
    await expect(jwtVerify(other, keys, { issuer: baseUrl, audience })).rejects.toThrow('"aud"')
    await jwtVerify(other, keys, { issuer: baseUrl, audience: echo.url })

    const published = await new TestBrowser(first.url).get('/.well-known/jwks.json')
    expect([published.status, published.headers.get('content-type'), published.body.keys.length]).toEqual([
      200,
      'application/jwk-set+json',
      2,
    ])
    expect(published.text).not.toContain('"d"')
    // A node that still signs with the old secret: its key is published by the new one.
    const elsewhere = await logIn(second.url)
    await elsewhere.get('/told/z')
    const [old = ''] = lastValues(echo, 'x-gatehouse-identity')
    await jwtVerify(old, keys, { issuer: baseUrl, audience })
    expect(decodeProtectedHeader(old).kid).toBe(published.body.keys[1].kid)
  })

  test('is told on WebSockets too, once', async () => {
    const heard: (readonly string[])[] = []
    const sockets = new WebSocketServer({ noServer: true })
    const server = createServer().on('upgrade', (request, socket, head) => {
      heard.push(
        request.rawHeaders.filter((_, index) =>
          /gatehouse.(account|roles|identity)/i.test(request.rawHeaders[index - (index % 2)] ?? ''),
        ),
      )
      sockets.handleUpgrade(request, socket, head, (client) => client.send('hello'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const echo = await startEcho()
    const running = await startFront([
      backendAt('/first', echo.url),
      backendAt('/live', url, { identity: { kind: 'headers' } }),
    ])
    const browser = await logIn(running.url)
    const cookie = `gatehouse=${browser.cookies.get('gatehouse')}`
    const headers = { cookie, origin: baseUrl, ...forged }
    const socket = new WebSocket(`${running.url.replace('http', 'ws')}/live/x`, { headers })
    const message = await new Promise((resolve, reject) => {
      socket.once('message', (text) => resolve(String(text)))
      socket.once('error', reject)
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await browser.request('/logout', { method: 'POST', headers: own })
    await closed
    expect(message).toBe('hello')
    expect(heard).toEqual([['X-Gatehouse-Account', 'staff:ada', 'X-Gatehouse-Roles', 'ports']])
  })
})

test.each([
  ['/files/a%2Fb', 200, '/a%2Fb'],
  ['/files/group%2fname/x?y=%2F', 200, '/group%2Fname/x?y=%2F'],
  ['/files/https%3A%2F%2Fa.example%2Fx', 200, '/https%3A%2F%2Fa.example%2Fx'],
  ['/files/deep%2Fx', 200, '/deep%2Fx'],
  ['/files%2Fdeep/x', 400, undefined],
  ['/files/%2e%2e%2Fx', 400, undefined],
  ['/files/a%2F..%2Fb', 400, undefined],
  ['/files/a%2F%5cb', 400, undefined],
  ['/files/a%2F%00', 400, undefined],
  ['/session%2Fx', 400, undefined],
  ['/page/a%2Fb', 400, undefined],
])('L2 %s is %d, and the backend sees %s', async (path, status, url) => {
  const [files, deep] = [await startEcho(), await startEcho()]
  const running = await startFront([backendAt('/files', files.url), backendAt('/files/deep', deep.url)], {
    providers: [],
  })
  expect((await new TestBrowser(running.url).get(path)).status).toBe(status)
  expect(files.received.map((received) => received.url)).toEqual(url === undefined ? [] : [url])
  expect(deep.received).toEqual([])
})

test('links and cookies of a backend lead back to it where that is asked for', async () => {
  const answer = await startHttp((_request, response) => {
    response.writeHead(200, [
      ...['Location', '/v1/a%2Fb', 'Link', '</v1/x?page=2>; rel=next, </other>; rel=up'],
      ...['Set-Cookie', 'a=1; Path=/v1/x; Domain=127.0.0.1', 'Set-Cookie', 'gatehouse=evil; Path=/'],
    ])
    response.end()
  })
  const target = `${answer.url}/v1`
  const running = await startFront(
    [backendAt('/new', target, { rewrites: true }), backendAt('/old', target), backendAt('/new/x', target)],
    { providers: [] },
  )
  const browser = new TestBrowser(running.url)
  const shown = async (path: string) => {
    const { headers } = await browser.get(path)
    return [headers.get('location'), headers.get('link'), headers.getSetCookie()]
  }
  expect(await shown('/new/y')).toEqual([
    '/new/a%2Fb',
    // Another backend answers below /new/x.
    '</v1/x?page=2>; rel=next, </other>; rel=up',
    ['a=1; Path=/new/x'],
  ])
  expect(await shown('/old/y')).toEqual([
    '/old/a%2Fb',
    '</v1/x?page=2>; rel=next, </other>; rel=up',
    ['a=1; Path=/v1/x; Domain=127.0.0.1'],
  ])
})

test('a backend that hangs, or answers badly, keeps no other one from answering', async () => {
  const silent = await startHttp(() => {})
  const bad = await startHttp(({ socket }) =>
    socket.end(`HTTP/1.1 200 OK\r\nX-Bad: a\u0001b\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`),
  )
  const huge = await startHttp(({ socket }) =>
    socket.end(`HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(200_000)}\r\n\r\nx`),
  )
  const echo = await startEcho()
  const running = await startFront(
    [
      backendAt('/silent', silent.url, { timeouts: { connect: 2000, response: 500, idle: 1000 } }),
      backendAt('/bad', bad.url),
      backendAt('/huge', huge.url),
      backendAt('/good', echo.url),
    ],
    { providers: [] },
  )
  const browser = new TestBrowser(running.url)
  const codes = async (path: string) => {
    const { status, body } = await browser.get(path)
    return [status, body.code]
  }
  const [hung, ...good] = await Promise.all([
    codes('/silent/x'),
    ...Array.from({ length: 10 }, async () => (await browser.get('/good/x')).status),
  ])
  expect([hung, good]).toEqual([[504, 'UPSTREAM_TIMEOUT'], Array(10).fill(200)])
  expect([await codes('/bad/x'), await codes('/huge/x')]).toEqual([
    [502, 'UPSTREAM_BROKEN'],
    [502, 'UPSTREAM_BROKEN'],
  ])
})
