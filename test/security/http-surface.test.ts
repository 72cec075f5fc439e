/** A. What the HTTP server takes, and what it tells: requests as bytes, on three stores. */
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpServer } from '../../src/http/server.ts'
import { anyProduct } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** Long enough for a busy machine. */
const waitLimits = { timeout: 60_000, interval: 20 }
const json = { 'content-type': 'application/json' }
const problemType = 'application/problem+json'

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let running: TestGateway

  beforeAll(async () => {
    running = await startTestGateway(product)
  })
  afterAll(() => running.close())

  const headOf = (method: string, path: string, ...lines: readonly string[]) =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `X-Xaas-Auth-Token: ${running.token}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n')

  describe('A1 a body that is too large is refused before it is read', () => {
    test.each(['/graphql', '/logon', '/manage/entities'])('%s, by its length', async (path) => {
      const { status, text } = await rawRequest(running.url, headOf('POST', path, 'Content-Length: 50000000'))
      expect(status).toBe(413)
      expect(text).toMatch(/^connection: close\r$/im)
      expect(text).toContain('"BODY_TOO_LARGE"')
    })

    test.each(['/graphql', '/logon', '/manage/entities'])('%s, in chunks', async (path) => {
      const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
      const head = headOf('POST', path, 'Transfer-Encoding: chunked')
      const { status, text } = await rawRequest(running.url, head + chunk.repeat(16))
      expect(status).toBe(413)
      expect(text).toMatch(/^connection: close\r$/im)
    })
  })

  const host = 'Host: localhost\r\n'

  describe('A2 A10 what is no proper HTTP is refused', () => {
    test.each([
      [
        'two lengths',
        `POST /logon HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
        400,
      ],
      ['two lengths in one', `POST /logon HTTP/1.1\r\n${host}Content-Length: 2, 3\r\n\r\n{}x`, 400],
      ['a length that is not one', `POST /logon HTTP/1.1\r\n${host}Content-Length: +2\r\n\r\n{}`, 400],
      [
        'a length and chunks',
        `POST /logon HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
      ],
      [
        'chunks that are not last',
        `POST /logon HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
        400,
      ],
      [
        'an unknown coding',
        `POST /logon HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
        400,
      ],
      [
        'a chunk of no size',
        `POST /logon HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n`,
        400,
      ],
      ['a blank before the colon', 'GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n', 400],
      ['a folded header', `GET /healthz HTTP/1.1\r\n${host}X-A: b\r\n c\r\n\r\n`, 400],
      ['lines that end too soon', 'GET /healthz HTTP/1.1\nHost: localhost\n\n', 400],
      ['a NUL in a header', `GET /healthz HTTP/1.1\r\n${host}X-A: b\0c\r\n\r\n`, 400],
      ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
      ['no request at all', 'hello\r\n\r\n', 400],
      ['another protocol', 'GET /healthz HTTQ/1.1\r\nHost: localhost\r\n\r\n', 400],
      [
        '200 headers of 100 bytes',
        `GET /healthz HTTP/1.1\r\n${host}${`X-A: ${'a'.repeat(100)}\r\n`.repeat(200)}\r\n`,
        431,
      ],
      ['a header of 64 kB', `GET /healthz HTTP/1.1\r\n${host}X-A: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
      ['a path of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`, 431],
      ['a dot segment', `GET /apis/../healthz HTTP/1.1\r\n${host}\r\n`, 400],
    ])('%s', async (_name, bytes, status) => {
      const answer = await rawRequest(running.url, bytes)
      expect(answer.status).toBe(status)
      expect(answer.text).toMatch(/^connection: close\r$/im)
    })
  })

  describe('A3 A4 A7 bodies', () => {
    const query = '{"query":"{ __typename }"}'
    test.each([
      ['of no type', 'POST', '/logon', { body: Buffer.from('{}') }, 415],
      ['of no type', 'POST', '/graphql', { body: Buffer.from(query) }, 415],
      [
        'a form',
        'POST',
        '/logon',
        { body: 'username=admin', type: 'application/x-www-form-urlencoded' },
        415,
      ],
      [
        'a form',
        'POST',
        '/graphql',
        { body: 'query={__typename}', type: 'application/x-www-form-urlencoded' },
        415,
      ],
      ['text', 'POST', '/graphql', { body: query, type: 'text/plain' }, 415],
      ['a form of parts', 'POST', '/graphql', { body: query, type: 'multipart/form-data; boundary=x' }, 415],
      ['gzip', 'POST', '/logon', { body: '{}', headers: { 'content-encoding': 'gzip' } }, 415],
      ['br', 'POST', '/graphql', { body: query, headers: { 'content-encoding': 'br' } }, 415],
      ['malformed', 'POST', '/logon', { body: '{' }, 400],
      ['empty', 'POST', '/logon', { body: '' }, 400],
      ['with a prototype', 'POST', '/manage/roles', { body: '{"__proto__": {"isAdmin": true}}' }, 400],
      [
        'with a prototype far below',
        'POST',
        '/graphql',
        { body: '{"variables":{"a":[{"__proto__":1}]}}' },
        400,
      ],
      ['nested 10,000 times', 'POST', '/logon', { body: '['.repeat(10_000) }, 400],
      ['nested 100,000 times', 'POST', '/manage/roles', { body: '['.repeat(100_000) }, 400],
      [
        'nested 100,000 times and closed',
        'POST',
        '/manage/roles',
        { body: '['.repeat(100_000) + ']'.repeat(100_000) },
        400,
      ],
      ['with no number', 'POST', '/graphql', { body: '{"query": NaN}' }, 400],
      ['with a number beyond all', 'POST', '/graphql', { body: '{"variables": {"a": 1e999}}' }, 400],
      ['with a key twice', 'POST', '/graphql', { body: '{"query":"{ a }","query":"{ __typename }"}' }, 400],
      [
        'with a key twice further in',
        'POST',
        '/manage/entities',
        { body: '[{"name": "A", "attributes": {"a": 1, "a": 2}}]' },
        400,
      ],
      ['not UTF-8', 'POST', '/logon', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400],
    ])('%s to %s %s', async (_name, method, path, sent, status) => {
      const { body, headers } = { headers: {}, ...sent }
      const type =
        'type' in sent
          ? { 'content-type': sent.type }
          : typeof body === 'string' || path === '/logon'
            ? json
            : {}
      const response = await fetch(running.url + path, {
        method,
        body,
        headers: { ...(_name === 'of no type' ? {} : type), ...headers, 'x-xaas-auth-token': running.token },
      })
      expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
        status,
        type: problemType,
      })
      expect({}).not.toHaveProperty('isAdmin')
    })
  })

  describe('A5 A6 methods', () => {
    test('HEAD is GET without a body', async () => {
      const { status, body } = await running.request('HEAD', '/healthz')
      expect({ status, body }).toEqual({ status: 200, body: '' })
    })

    test.each([
      ['PUT', '/logon', 'POST'],
      ['GET', '/logon', 'POST'],
      ['DELETE', '/healthz', 'GET, HEAD'],
      ['PATCH', '/manage/roles', 'GET, POST, HEAD'],
    ])('%s %s is 405 with those it has', async (method, path, allow) => {
      const { status, headers } = await running.request(method, path)
      const allowed = headers.get('allow')?.split(', ').toSorted()
      expect({ status, allowed }).toEqual({ status: 405, allowed: allow.split(', ').toSorted() })
    })

    test.each(['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'GETX', 'get'])(
      '%s does nothing and tells nothing',
      async (method) => {
        const bytes = `${method} /healthz HTTP/1.1\r\n${host}X-Secret: canary\r\n\r\n`
        const { status, text } = await rawRequest(running.url, bytes)
        expect([400, 401, 404, 405]).toContain(status)
        expect(text).not.toContain('canary')
      },
    )

    test('CONNECT opens nothing', async () => {
      const { text } = await rawRequest(running.url, `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`)
      expect(text).not.toContain(' 200 ')
    })

    test('A6 headers that name another method or path are ignored', async () => {
      const headers = {
        'x-http-method-override': 'DELETE',
        'x-http-method': 'DELETE',
        'x-method-override': 'DELETE',
        'x-original-url': '/manage/roles',
        'x-rewrite-url': '/manage/roles',
        'x-forwarded-prefix': '/manage',
        'x-forwarded-uri': '/manage/roles',
      }
      expect((await running.request('GET', '/healthz', { headers, token: null })).body).toEqual({
        status: 'ok',
      })
      expect((await running.request('GET', '/manage/roles', { headers, token: null })).status).toBe(401)
      expect((await running.request('GET', '/manage/roles/admin', { headers })).status).toBe(200)
      expect((await running.request('GET', '/manage/roles/admin')).status).toBe(200)
    })
  })

  test('A9 connections that say nothing keep no one out', async () => {
    const { hostname, port } = new URL(running.url)
    const sockets = await Promise.all(
      Array.from({ length: 500 }, () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => socket.destroy())
        return new Promise<Socket>((resolve) => socket.once('connect', () => resolve(socket)))
      }),
    )
    expect((await running.request('GET', '/whoami')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  describe('A11 A16 what goes wrong is reported in the words of the catalogue, and nothing else', () => {
    test.each([
      ['GET', '/nowhere', {}, 404],
      ['PUT', '/logon', {}, 405],
      ['POST', '/logon', { body: '{' }, 400],
      ['POST', '/manage/roles', { body: { name: 1 } }, 422],
      ['POST', '/manage/roles', { body: { name: "x'; drop table gatehouse_role", authorities: [] } }, 201],
      ['GET', '/manage/roles/%F0%9F%98%80', {}, 404],
      ['GET', '/manage/roles/%00', {}, 400],
      ['GET', '/manage/roles/%ff', {}, 400],
      ['GET', '/manage/roles/%', {}, 400],
      ['GET', '/manage/audit?limit=%27', {}, 400],
      ['GET', '/manage/audit?limit=%ff&before=%00', {}, 400],
      ['GET', '/manage/tokens?account=%F0%9F%98%80', {}, 200],
      ['GET', '/whoami', { token: null, headers: { authorization: 'Bearer %' } }, 401],
      ['GET', '/whoami', { token: null, headers: { authorization: 'Bearer \u00ff\u00fe' } }, 401],
      ['GET', '/whoami', { token: null, headers: { authorization: `Bearer ${'a'.repeat(10_000)}` } }, 401],
      ['GET', '/whoami', { token: null, headers: { 'x-xaas-auth-token': "' or '1'='1" } }, 401],
      ['POST', '/logon', { body: '{"username":"\\ud800","password":"\\udfff"}' }, 401],
      ['POST', '/logon', { body: { username: 'a\0b', password: '\0' } }, 401],
      [
        'POST',
        '/manage/accounts',
        { body: '{"username":"\\ud800","password":"long enough","role":"admin"}' },
        422,
      ],
      ['POST', '/graphql', { body: { query: '{' } }, 200],
      ['POST', '/graphql', { body: { query: '\0' } }, 200],
      ['POST', '/graphql', { body: { query: 1 } }, 400],
      ['GET', '/graphql?query=%ff', {}, 200],
      ['GET', '/graphql?query={__typename}&variables=%ff', {}, 400],
    ])('%s %s %j: %i', async (method, path, options, status) => {
      const answer = await running.request(method, path, options)
      expect({ path, status: answer.status }).toEqual({ path, status })
      const { body, headers } = answer
      expect(JSON.stringify(body)).not.toMatch(
        /node_modules|\/src\/|\.ts:|\.js:|select |insert |SQLITE|sqlState|stack/i,
      )
      expect(
        ['server', 'x-powered-by', 'access-control-allow-origin'].map((name) => headers.get(name)),
      ).toEqual([null, null, null])
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      if (headers.get('content-type') === problemType && method !== 'HEAD') {
        const known = ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors']
        expect(Object.keys(body as object).filter((key) => !known.includes(key))).toEqual([])
      }
    })
  })

  test.each(['https://evil.example', 'null', 'https://localhost.evil.example', 'http://localhost'])(
    'A12 no other origin may read answers: %s',
    async (origin) => {
      for (const [method, path] of [
        ['GET', '/whoami'],
        ['OPTIONS', '/graphql'],
        ['POST', '/logon'],
      ] as const) {
        const headers = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-xaas-auth-token',
        }
        const answer = await running.request(method, path, { headers })
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  test.each(['kube-probe/1.30', 'GoogleHC/1.0', 'ELB-HealthChecker/2.0', 'Prometheus/2.50'])(
    'A14 no user agent opens anything: %s',
    async (agent) => {
      const headers = { 'user-agent': agent }
      for (const path of ['/manage/roles', '/graphql', '/metrics', '/openapi.json', '/docs']) {
        expect((await running.request('GET', path, { headers, token: null })).status).toBe(401)
      }
    },
  )

  test.each(['/whoami', '/graphql', '/manage/accounts', '/nowhere', '/healthz'])(
    'A15 an answer is not stored, and is what its type says: %s',
    async (path) => {
      const { headers } = await running.request('GET', path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toMatch(/^application\/(problem\+json|json; charset=utf-8)$/)
    },
  )
})

describe('A8 anyone who is slow loses the connection', () => {
  async function startServer(answer = 200) {
    const server = createHttpServer({
      bodyLimitBytes: 1_000_000,
      observe: () => undefined,
      timeouts: { head: 200, body: 200, answer },
    })
    server.post('/', async ({ body }) => body)
    server.get('/', async () => 'a'.repeat(64_000_000))
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => server.close())
    return { url, connections: () => promisify(server.server.getConnections.bind(server.server))() }
  }

  test.each([
    ['with the head', 'POST / HTTP/1.1\r\nHost: localhost\r\n'],
    ['with the first line', 'POST'],
    [
      'with the body',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    ],
    [
      'with a chunk',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{',
    ],
  ])('%s', async (_name, bytes) => {
    const { url } = await startServer()
    const { status, text } = await rawRequest(url, bytes)
    expect(status).toBe(408)
    expect(text).toMatch(/^connection: close\r$/im)
    expect(text).toContain('"REQUEST_TIMEOUT"')
  })

  test('with reading the answer', async () => {
    const { url, connections } = await startServer()
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await vi.waitFor(async () => expect(await connections()).toBe(1), waitLimits)
    await vi.waitFor(async () => expect(await connections()).toBe(0), waitLimits)
  })

  test('but not who reads', async () => {
    const { url } = await startServer(60_000)
    const text = await (await fetch(url)).text()
    expect(text.length).toBe(64_000_000)
  })

  test('what is usual: 10 s for the head, and a limit on what comes between two requests', () => {
    const { server } = createHttpServer({ bodyLimitBytes: 1000, observe: () => undefined })
    expect([server.headersTimeout, server.keepAliveTimeout]).toEqual([10_000, 65_000])
  })
})
