import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { parseTarget } from '../../src/proxy/target.ts'
import type { BackendSettings } from '../../src/web-front/backend/backend-settings.ts'
import { products } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront, type TestFrontSettings } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { closedPort, startEcho, startHttp, startRaw } from '../support/upstream-servers.ts'

let gateway: TestGateway
const [product] = products

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
})
afterAll(() => gateway.close())

function backendAt(url: string, more: Partial<BackendSettings> = {}): BackendSettings {
  const target = parseTarget(url)
  if ('mistake' in target) throw new Error(target.mistake)
  const timeouts = { connect: 1000, response: 2000, idle: 5000 }
  return { proxyPath: '/backend', target, tokenHeader: 'X-Xaas-Auth-Token', timeouts, ...more }
}

interface Options {
  readonly transparent?: boolean
  readonly generates?: boolean
  readonly backend?: Partial<BackendSettings>
  readonly settings?: TestFrontSettings
}

/** A web front before a backend, where people log in at the gateway. */
async function front(
  url: string,
  { transparent = true, generates = false, backend, settings }: Options = {},
) {
  const running = await startTestFront({
    providers: [
      {
        name: 'gateway',
        label: 'Staff',
        strategy: { kind: 'gateway' },
        transparentTokens: transparent,
        ...(generates ? { generator: { kind: 'gateway' } } : {}),
      },
    ],
    gateway: {
      address: gateway.url,
      credentials: async () => ({ username: 'admin', password: gateway.password, apiKey: gateway.apiKey }),
    },
    backend: backendAt(url, backend),
    ...settings,
  })
  onTestFinished(() => running.close())
  return running
}

async function logIn(running: TestFront): Promise<TestBrowser> {
  const browser = new TestBrowser(running.url)
  const form = await browser.get('/auth/gateway')
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const { password, apiKey } = gateway
  await browser.request('/auth/gateway', { form: { state, username: 'admin', password, api_key: apiKey } })
  return browser
}

const own = { 'sec-fetch-site': 'same-origin' }
const headersOf = (body: { readonly headers: readonly (readonly [string, string])[] }) =>
  Object.fromEntries(body.headers.map(([name, value]) => [name.toLowerCase(), value]))

test('the gateway is called with the token of whoever is logged in, which stays here', async () => {
  const running = await front(gateway.url)
  const browser = await logIn(running)
  const whoami = await browser.get('/backend/whoami')
  expect([whoami.status, whoami.body.username]).toEqual([200, 'admin'])
  const created = await browser.request('/backend/manage/roles', {
    method: 'POST',
    json: { name: 'made-by-front', authorities: [] },
    headers: own,
  })
  expect([created.status, created.body.name]).toEqual([201, 'made-by-front'])
  expect((await browser.get('/session')).text).not.toContain('ght_')
})

test('a backend sees what the application sent, and of the front only the token', async () => {
  const echo = await startEcho()
  const running = await front(echo.url)
  const browser = await logIn(running)
  browser.cookies.set('theme', 'dark')
  const answer = await browser.request('/backend/a/b%20c?x=1&y=%2F', {
    method: 'PUT',
    json: { a: 1 },
    headers: {
      ...own,
      'x-own': 'kept',
      'x-xaas-auth-token': 'forged',
      X_Xaas_Auth_Token: 'forged',
      'x-xaas-api-key': 'forged',
      authorization: 'Bearer forged',
      'x-user': 'root',
      'x-gatehouse-account': 'root',
      'x-forwarded-for': '192.0.2.9',
    },
  })
  const { method, url, body } = answer.body
  expect([answer.status, method, url, body]).toEqual([200, 'PUT', '/a/b%20c?x=1&y=%2F', '{"a":1}'])
  const headers = headersOf(answer.body)
  expect(headers['x-xaas-auth-token']).toMatch(/^ght_/)
  expect(headers['x-own']).toBe('kept')
  expect(headers.cookie).toBe('theme=dark')
  expect(headers['x-forwarded-for']).toBe('127.0.0.1')
  expect(headers['x-forwarded-prefix']).toBe('/backend')
  expect(answer.text).not.toMatch(/forged|root|gatehouse=/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('vary')).toBe('Cookie')
})

test('a Connection header of the application does not remove the token', async () => {
  const echo = await startEcho()
  const running = await front(echo.url)
  const { cookies } = await logIn(running)
  const head = [
    'GET /backend/ HTTP/1.1',
    `host: ${new URL(running.url).host}`,
    `cookie: ${[...cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    'sec-fetch-site: same-origin',
    'connection: X-Xaas-Auth-Token, close',
  ]
  const { status, text } = await rawRequest(running.url, `${head.join('\r\n')}\r\n\r\n`)
  expect(status).toBe(200)
  expect(text).toMatch(/\["x-xaas-auth-token","ght_/i)
})

test('a token goes by another header where that is configured', async () => {
  const echo = await startEcho()
  const running = await front(echo.url, { backend: { tokenHeader: 'Authorization' } })
  const browser = await logIn(running)
  const headers = headersOf((await browser.get('/backend/')).body)
  expect(headers.authorization).toMatch(/^Bearer ght_/)
  expect(headers['x-xaas-auth-token']).toBe(undefined)
})

test('without transparent tokens the application sends its own', async () => {
  const running = await front(gateway.url, { transparent: false })
  const browser = await logIn(running)
  expect((await browser.get('/backend/whoami')).status).toBe(401)
  const token = (await browser.get('/session')).body.auth.accessToken
  expect((await browser.get('/backend/whoami', { 'x-xaas-auth-token': token })).body.username).toBe('admin')
})

test('what a backend answers is passed on, but for what is ours', async () => {
  const upstream = await startHttp((_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(302, {
      location: 'http://169.254.169.254/latest',
      'set-cookie': ['gatehouse=evil; Path=/', '__Host-gatehouse=evil', 'own=1', 'gatehouse-login-x=evil'],
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60',
      'x-request-id': 'theirs',
    })
    response.end()
  })
  const running = await front(upstream.url)
  const browser = await logIn(running)
  const answer = await browser.get('/backend/x')
  expect([answer.status, answer.location]).toEqual([302, 'http://169.254.169.254/latest'])
  expect(answer.headers.getSetCookie()).toEqual(['own=1'])
  expect(answer.headers.get('access-control-allow-origin')).toBe(null)
  expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
  expect(answer.headers.get('x-request-id')).not.toBe('theirs')
})

describe('a 401 of a backend that is not the gateway', () => {
  const refusing = () =>
    startHttp((request, response) => {
      const claim = { 'x-gatehouse-refused': 'login', 'www-authenticate': 'Bearer' }
      response.writeHead(request.url === '/forbidden' ? 403 : 401, request.url === '/plain' ? {} : claim)
      response.end('theirs')
    })

  test.each([
    ['with a token of the gateway', { generates: true }],
    ['without one', { transparent: false }],
  ])('says that the backend refused, whatever it claims: %s', async (_, options) => {
    const browser = await logIn(await front((await refusing()).url, options))
    const seen: unknown[] = []
    for (const path of ['/plain', '/claiming', '/forbidden']) {
      const { status, text, headers } = await browser.get(`/backend${path}`)
      seen.push([status, text, headers.get('x-gatehouse-refused')])
    }
    expect(seen).toEqual([
      [401, 'theirs', 'upstream'],
      [401, 'theirs', 'upstream'],
      [403, 'theirs', null],
    ])
  })

  test('and the web front says that no one is logged in', async () => {
    const running = await front((await refusing()).url)
    const { status, headers } = await fetch(`${running.url}/backend/plain`)
    expect([status, headers.get('x-gatehouse-refused')]).toEqual([401, 'login'])
  })

  test('says so for a WebSocket, too', async () => {
    const head = 'HTTP/1.1 401 Unauthorized\r\nX-Gatehouse-Refused: login\r\nContent-Length: 0\r\n\r\n'
    const running = await front((await startRaw((socket) => socket.end(head))).url)
    const cookie = `gatehouse=${(await logIn(running)).cookies.get('gatehouse')}`
    const socket = new WebSocket(`${running.url.replace('http', 'ws')}/backend/x`, {
      headers: { cookie, origin: running.url },
    })
    const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
      socket.once('unexpected-response', (_request, response) => resolve(response))
      socket.once('error', reject)
    })
    expect([statusCode, headers['x-gatehouse-refused']]).toEqual([401, 'upstream'])
  })
})

describe('the backend is not reached', () => {
  test('by somebody who is not logged in', async () => {
    const echo = await startEcho()
    const running = await front(echo.url)
    const answer = await new TestBrowser(running.url).get('/backend/x')
    expect([answer.status, answer.body.code, answer.body.login]).toEqual([
      401,
      'LOGIN_REQUIRED',
      '/auth/gateway',
    ])
    expect(echo.received).toEqual([])
  })

  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['a call without proof', 'POST', {}],
    ['a call of another site', 'POST', { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'x' }],
    ['a call of a neighbour', 'DELETE', { 'sec-fetch-site': 'same-site' }],
    ['a call of another origin', 'PATCH', { origin: 'https://evil.example' }],
    ['a call of nobody', 'PUT', { origin: 'null' }],
    ['an image on another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('by %s', async (_what, method, headers) => {
    const echo = await startEcho()
    const running = await front(echo.url)
    const browser = await logIn(running)
    const answer = await browser.request('/backend/x', { method, headers })
    expect([answer.status, answer.body.code]).toEqual([403, 'CROSS_SITE_REFUSED'])
    expect(echo.received).toEqual([])
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a page of this origin', { origin: 'OWN' }],
    ['a browser that says so', own],
    ['a client with a header of its own', { 'x-requested-with': 'curl' }],
  ])('but by %s it is', async (_what, headers) => {
    const echo = await startEcho()
    const running = await front(echo.url)
    const browser = await logIn(running)
    const sent = headers.origin === undefined ? headers : { origin: running.url }
    expect((await browser.request('/backend/x', { method: 'POST', headers: sent })).status).toBe(200)
  })

  test.each([
    ['//evil.example/x', 400],
    ['/backend//evil.example/x', 400],
    ['/backend/\\evil.example', 400],
    ['/backend/..%2f..%2fadmin', 400],
    ['/backend/../admin', 400],
    ['/backend/%2e%2e/admin', 400],
    ['/backend/..;/admin', 400],
    ['/backendx', 404],
    ['/backend@evil.example/', 404],
    ['/BACKEND/x', 404],
  ])('at %s', async (path, status) => {
    const echo = await startEcho()
    const running = await front(echo.url)
    const browser = await logIn(running)
    const cookie = `Cookie: gatehouse=${browser.cookies.get('gatehouse')}`
    const answer = await rawRequest(
      running.url,
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n${cookie}\r\n\r\n`,
    )
    expect(answer.status).toBe(status)
    expect(echo.received).toEqual([])
  })
})

test('a host that the request names is not where it goes', async () => {
  const echo = await startEcho()
  const running = await front(echo.url)
  const browser = await logIn(running)
  const cookie = `Cookie: gatehouse=${browser.cookies.get('gatehouse')}`
  const answer = await rawRequest(
    running.url,
    `GET http://evil.example/backend/x HTTP/1.1\r\nHost: evil.example\r\n${cookie}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer.status).toBe(200)
  expect(
    echo.received.map(({ url, headers }) => [url, headers.find(([name]) => /^host$/i.test(name))?.[1]]),
  ).toEqual([['/x', new URL(echo.url).host]])
})

test.each([
  ['that is away', async () => `http://127.0.0.1:${await closedPort()}`, 502, 'UPSTREAM_UNREACHABLE'],
  ['that is silent', async () => (await startHttp(() => {})).url, 504, 'UPSTREAM_TIMEOUT'],
  [
    'that hangs up',
    async () => (await startHttp(({ socket }) => socket.destroy())).url,
    502,
    'UPSTREAM_BROKEN',
  ],
])('a backend %s is a problem document', async (_what, start, status, code) => {
  const running = await front(await start())
  const browser = await logIn(running)
  const answer = await browser.get('/backend/x')
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

describe('L6 an answer that breaks off is not taken for a whole one', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['with a length', (response) => response.writeHead(200, { 'content-length': '100' }).write('half')],
    ['in chunks', (response) => response.writeHead(200).write('half')],
  ])('%s', async (_what, begin) => {
    const { url } = await startHttp((_request, response) => {
      begin(response)
      setTimeout(() => response.socket?.destroy(), 50)
    })
    const running = await front(url)
    const browser = await logIn(running)
    await expect(browser.get('/backend/x')).rejects.toThrow()
    expect((await browser.get('/session')).status).toBe(200)
    expect(running.events.map(({ kind }) => kind)).toContain('RequestFailed')
  })
})

test('L8 a backend hears that a client has left', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<string>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { url } = await startHttp((_request, response) => {
    response.once('close', () => leave(response.writableFinished ? 'answered' : 'left'))
    ask()
  })
  const running = await front(url)
  const browser = await logIn(running)
  const controller = new AbortController()
  const headers = { cookie: `gatehouse=${browser.cookies.get('gatehouse')}` }
  const call = fetch(`${running.url}/backend/x`, { headers, signal: controller.signal })
  await asked
  controller.abort()
  await expect(call).rejects.toThrow('aborted')
  expect(await left).toBe('left')
})

test('L8 a client that takes nothing more is let go, and the backend hears it', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<boolean>()
  const { url } = await startHttp((_request, response) => {
    const piece = Buffer.alloc(65_536)
    const write = () => {
      while (!response.destroyed && response.write(piece)) {}
    }
    response.on('drain', write)
    response.once('close', () => leave(response.writableFinished))
    write()
  })
  const timeouts = { connect: 30_000, response: 100, idle: 500 }
  const running = await front(url, { backend: { timeouts } })
  const browser = await logIn(running)
  const client = connect(Number(new URL(running.url).port), '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => {})
  const cookie = `gatehouse=${browser.cookies.get('gatehouse')}`
  client.write(`GET /backend/x HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`)
  client.pause()
  expect(await left).toBe(false)
})

test('L10 two people who ask for the same get each their own', async () => {
  const { url } = await startHttp((request, response) => {
    response.writeHead(200, { 'cache-control': 'public, max-age=60' })
    response.end(String(request.headers['x-xaas-auth-token']))
  })
  const running = await front(url)
  const [one, other] = [await logIn(running), await logIn(running)]
  const answers = await Promise.all([one, other, one, other].map((browser) => browser.get('/backend/x')))
  const texts = answers.map(({ text }) => text)
  expect([texts[0] === texts[2], texts[1] === texts[3], texts[0] === texts[1]]).toEqual([true, true, false])
  expect(
    new Set(answers.map(({ headers }) => `${headers.get('cache-control')}; ${headers.get('vary')}`)),
  ).toEqual(new Set(['private, max-age=60; Cookie']))
})

describe('a token that the backend takes no longer', () => {
  /** A backend that takes each token once. */
  async function strictBackend(challenge: boolean) {
    const seen: string[] = []
    const spent = new Set<string>()
    const { url } = await startHttp((request, response) => {
      const token = String(request.headers['x-xaas-auth-token'])
      seen.push(`${request.method} ${[...new Set([...spent, token])].indexOf(token)}`)
      const isSpent = spent.has(token)
      spent.add(token)
      request.resume()
      response.writeHead(isSpent ? 401 : 200, challenge ? { 'www-authenticate': 'Bearer' } : {}).end('x')
    })
    return { url, seen }
  }

  test.each([true, false])(
    'is renewed once, and the safe call repeated (challenge: %s)',
    async (challenge) => {
      const backend = await strictBackend(challenge)
      const running = await front(backend.url, { generates: true })
      const browser = await logIn(running)
      const answers = [await browser.get('/backend/x'), await browser.get('/backend/x')]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(backend.seen).toEqual(['GET 0', 'GET 0', 'GET 1'])
    },
  )

  test('is no reason to repeat what changes something', async () => {
    const backend = await strictBackend(true)
    const running = await front(backend.url, { generates: true })
    const browser = await logIn(running)
    const post = () => browser.request('/backend/x', { method: 'POST', headers: own })
    expect([(await post()).status, (await post()).status]).toEqual([200, 401])
    expect(backend.seen).toEqual(['POST 0', 'POST 0'])
  })

  test('is not renewed again and again for a backend that takes none', async () => {
    const seen: unknown[] = []
    const { url } = await startHttp((request, response) => {
      seen.push(request.headers['x-xaas-auth-token'])
      response.writeHead(401).end('{}')
    })
    const running = await front(url, { generates: true })
    const browser = await logIn(running)
    const answers = [
      await browser.get('/backend/x'),
      await browser.get('/backend/x'),
      await browser.get('/backend/x'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect([seen.length, new Set(seen).size]).toEqual([4, 2])
  })
})

describe('streams', () => {
  async function socketBackend() {
    const sockets = new WebSocketServer({ noServer: true })
    const tokens: unknown[] = []
    const { url, close } = await startHttp((request, response) => {
      if (request.url !== '/events') return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.write('data: one\n\n')
    })
    // The helper's server is reached through its port: upgrades need one of our own.
    const { createServer } = await import('node:http')
    const server = createServer().on('upgrade', (request, socket, head) => {
      tokens.push(request.headers['x-xaas-auth-token'])
      sockets.handleUpgrade(request, socket, head, (client) =>
        client.on('message', (text) => client.send(`re: ${text}`)),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    return {
      events: url,
      sockets: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      tokens,
      close,
    }
  }

  const open = (running: TestFront, headers: Readonly<Record<string, string>>) => {
    const socket = new WebSocket(`${running.url.replace('http', 'ws')}/backend/ws`, { headers })
    return new Promise<WebSocket | number>((resolve, reject) => {
      socket.once('open', () => resolve(socket))
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.once('error', reject)
    })
  }

  test('a WebSocket of this origin is carried, with the token, until the log-out', async () => {
    const backend = await socketBackend()
    const running = await front(backend.sockets)
    const browser = await logIn(running)
    const cookie = `gatehouse=${browser.cookies.get('gatehouse')}`
    const socket = await open(running, { cookie, origin: running.url })
    if (typeof socket === 'number') throw new Error(`It was refused with ${socket}.`)
    const answer = new Promise((resolve) => socket.once('message', (text) => resolve(String(text))))
    socket.send('hello')
    expect(await answer).toBe('re: hello')
    expect(backend.tokens).toEqual([expect.stringMatching(/^ght_/)])
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await browser.request('/logout', { method: 'POST' })
    await closed
  })

  test('a WebSocket of another site, or of nobody, is not', async () => {
    const backend = await socketBackend()
    const running = await front(backend.sockets)
    const browser = await logIn(running)
    const cookie = `gatehouse=${browser.cookies.get('gatehouse')}`
    expect([
      await open(running, { cookie, origin: 'https://evil.example' }),
      await open(running, { cookie }),
      await open(running, { origin: running.url }),
      await open(running, { cookie, origin: 'https://evil.example', 'x-requested-with': 'x' }),
      await open(running, { cookie, 'sec-fetch-site': 'cross-site', 'x-requested-with': 'x' }),
    ]).toEqual([403, 403, 401, 403, 403])
    expect(backend.tokens).toEqual([])
  })

  test('a WebSocket of a program that is no browser is carried if it says so', async () => {
    const backend = await socketBackend()
    const running = await front(backend.sockets)
    const browser = await logIn(running)
    const cookie = `gatehouse=${browser.cookies.get('gatehouse')}`
    const socket = await open(running, { cookie, 'x-requested-with': 'backup' })
    if (typeof socket === 'number') throw new Error(`It was refused with ${socket}.`)
    socket.close()
    expect(backend.tokens).toEqual([expect.stringMatching(/^ght_/)])
  })

  test('an event stream ends with the session', async () => {
    const backend = await socketBackend()
    const running = await front(backend.events)
    const browser = await logIn(running)
    const response = await fetch(`${running.url}/backend/events`, {
      headers: { cookie: `gatehouse=${browser.cookies.get('gatehouse')}` },
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n')
    await browser.request('/logout', { method: 'POST' })
    await expect(
      reader?.read().then(({ done }) => (done ? Promise.reject(new Error('ended')) : done)),
    ).rejects.toThrow()
  })
})

test('without a way to log in everybody is forwarded, without a token', async () => {
  const echo = await startEcho()
  const running = await startTestFront({ backend: backendAt(echo.url) })
  onTestFinished(() => running.close())
  const answer = await new TestBrowser(running.url).get('/backend/x')
  expect([answer.status, headersOf(answer.body)['x-xaas-auth-token']]).toEqual([200, undefined])
})
