/** Pages of other origins: what the gateway tells browsers, for each kind of response. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { type RunningUpstream, startHttp } from '../support/upstream-servers.ts'

const origin = 'https://app.example.org'
let gateway: TestGateway

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product, undefined, { corsOrigins: [origin, 'http://localhost:5173'] })
})
afterAll(() => gateway.close())

const exposed =
  'Content-Disposition, ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Gatehouse-Refused, X-Gatehouse-Schema, X-Request-Id, X-Total-Count'

/** The headers of a response that concern other origins. */
function permissionsIn(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  )
}

const granted = { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }

const preflight = (method: string) => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'content-type,x-xaas-auth-token',
})

test.each(['/apis/tenants', '/graphql', '/manage/entities', '/nowhere', '/logon'])(
  'a preflight request for %s is answered without a token',
  async (path) => {
    const { status, headers, body } = await gateway.request('OPTIONS', path, {
      token: null,
      headers: preflight('PUT'),
    })
    expect([status, body]).toEqual([204, ''])
    expect(permissionsIn(headers)).toEqual({
      ...granted,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, traceparent, tracestate, X-Gatehouse-Explain, X-Gatehouse-Fresh, X-Request-Id, X-Xaas-Api-Key, X-Xaas-Auth-Token, X-Xaas-Xid, X-Xaas-Xname',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  },
)

test.each([
  ['GET', '/whoami', {}, 200, 'Origin'],
  ['GET', '/graphql', { accept: 'text/html' }, 200, 'accept, accept-encoding, Origin'],
  ['GET', '/whoami', { 'x-xaas-auth-token': 'ght_wrong' }, 401, 'Origin'],
  ['GET', '/nowhere', {}, 404, 'Origin'],
  ['DELETE', '/logon', {}, 405, 'Origin'],
  ['GET', '/healthz', {}, 200, 'Origin'],
])('%s %s %j may be read by a listed origin: %i', async (method, path, given, status, vary) => {
  const answer = await gateway.request(method, path, { headers: { ...given, origin } })
  expect([answer.status, permissionsIn(answer.headers)]).toEqual([status, { ...granted, vary }])
})

test('bodies that are too large, and requests that cannot be read, are answered like that as well', async () => {
  const long = await gateway.request('POST', '/logon', { headers: { origin }, body: 'x'.repeat(20_000) })
  expect([long.status, permissionsIn(long.headers)]).toEqual([413, { ...granted, vary: 'Origin' }])
  const head = `Host: x\r\nOrigin: ${origin}\r\n`
  for (const [bytes, status] of [
    [`GET /a/%2e%2e/b HTTP/1.1\r\n${head}\r\n`, 400],
    [`GET /whoami HTTP/1.1\r\n${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const answer = await rawRequest(gateway.url, bytes)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(`access-control-allow-origin: ${origin}\r\n`)
    expect(answer.text).toContain('vary: Origin\r\n')
  }
})

test.each(['https://evil.example', 'null', 'https://app.example.org.evil.example', 'http://app.example.org'])(
  'A12 %s is granted nothing',
  async (other) => {
    for (const [method, path, status] of [
      ['GET', '/whoami', 200],
      ['OPTIONS', '/whoami', 401],
      ['GET', '/nowhere', 404],
    ] as const) {
      const token = method === 'OPTIONS' ? { token: null } : {}
      const headers = { ...preflight('GET'), origin: other }
      const answer = await gateway.request(method, path, { headers, ...token })
      expect([answer.status, permissionsIn(answer.headers)]).toEqual([status, { vary: 'Origin' }])
    }
  },
)

test('without an Origin, caches still hear that it matters', async () => {
  expect(permissionsIn((await gateway.request('GET', '/whoami')).headers)).toEqual({ vary: 'Origin' })
})

async function publish(upstream: RunningUpstream, more: object): Promise<void> {
  const body = { path: '/shop/*', methods: ['GET', 'POST', 'OPTIONS'], target: upstream.url, ...more }
  const { status } = await gateway.request('PUT', '/manage/routes/shop', { body })
  expect(status).toBeLessThan(300)
}

test('what an upstream says of other origins is replaced, in streams and in public routes as well', async () => {
  const asked: string[] = []
  const upstream = await startHttp((request, response) => {
    asked.push(request.method ?? '')
    const says = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' }
    const type = request.url?.endsWith('/events') ? 'text/event-stream' : 'text/plain'
    response.writeHead(200, { ...says, vary: 'Accept-Language', 'content-type': type })
    response.end(type === 'text/plain' ? 'text' : 'data: 1\n\n')
  })
  for (const [scope, vary] of [
    [{}, 'Accept-Language, Origin, X-Xaas-Auth-Token, Authorization'],
    [{ scope: 'public' }, 'Accept-Language, Origin'],
  ] as const) {
    await publish(upstream, scope)
    for (const path of ['/shop/a', '/shop/events']) {
      const answer = await gateway.request('GET', path, { headers: { origin } })
      expect([answer.status, permissionsIn(answer.headers)]).toEqual([200, { ...granted, vary }])
      const other = await gateway.request('GET', path, { headers: { origin: 'https://evil.example' } })
      expect([other.status, permissionsIn(other.headers)]).toEqual([200, { vary }])
    }
    const question = { token: null, headers: preflight('POST') }
    expect((await gateway.request('OPTIONS', '/shop/a', question)).status).toBe(204)
  }
  expect(asked.filter((method) => method === 'OPTIONS')).toEqual([])
})

test('each 401 says who refused: the token, the role or the upstream', async () => {
  const upstream = await startHttp((request, response) => {
    response.writeHead(request.url === '/shop/in' ? 200 : 401, { 'x-gatehouse-refused': 'role' })
    response.end()
  })
  await publish(upstream, {})
  await gateway.request('POST', '/manage/roles', { body: { name: 'none', authorities: [] } })
  const account = { username: 'robin', password: 'a long pass phrase', role: 'none' }
  const { body } = await gateway.request('POST', '/manage/accounts', { body: account })
  const { password, username } = account
  const logon = await gateway.request('POST', '/logon', {
    body: { username, password },
    headers: { 'x-xaas-api-key': (body as { readonly api_key: string }).api_key },
  })
  const token = (logon.body as Readonly<Record<string, string>>)['x-xaas-auth-token'] ?? ''
  const refusals: unknown[] = []
  for (const [path, options] of [
    ['/apis/ports', { token: null }],
    ['/apis/ports', { token: 'ght_unknown' }],
    ['/apis/ports', { token }],
    ['/shop/a', { token: null }],
    ['/shop/a', { token }],
    ['/shop/a', {}],
    ['/shop/in', {}],
  ] as const) {
    const answer = await gateway.request('GET', path, options)
    refusals.push([answer.status, answer.headers.get('x-gatehouse-refused')])
  }
  expect(refusals).toEqual([
    [401, 'token'],
    [401, 'token'],
    [401, 'role'],
    [401, 'token'],
    [401, 'role'],
    [401, 'upstream'],
    [200, null],
  ])
})
