import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let running: TestGateway
const [product] = products

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  running = await startTestGateway(product)
})
afterAll(() => running.close())

const json = { 'content-type': 'application/json' }

describe('requests that are no proper HTTP', () => {
  const host = 'Host: localhost\r\n'
  test.each([
    ['two lengths', `POST /logon HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`, 400],
    [
      'a length and chunks',
      `POST /logon HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['an unknown coding', `POST /logon HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ['a blank before the colon', `GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n`, 400],
    ['a folded header', `GET /healthz HTTP/1.1\r\n${host}X-A: b\r\n c\r\n\r\n`, 400],
    ['a NUL in a header', `GET /healthz HTTP/1.1\r\n${host}X-A: b\0c\r\n\r\n`, 400],
    ['no request at all', 'hello\r\n\r\n', 400],
    ['a header of 64 kB', `GET /healthz HTTP/1.1\r\n${host}X-A: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
    ['a path of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['a dot segment', `GET /apis/../healthz HTTP/1.1\r\n${host}\r\n`, 400],
    ['bytes beyond ASCII in the path', `GET /h\xe4lthz HTTP/1.1\r\n${host}\r\n`, 400],
  ])('%s', async (_name, bytes, status) => {
    const answer = await rawRequest(running.url, bytes)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('application/problem+json')
  })

  test('the absolute form is the path in it', async () => {
    const answer = await rawRequest(
      running.url,
      'GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    )
    expect(answer.status).toBe(200)
  })
})

describe('bodies', () => {
  test.each([
    [
      'larger than the limit',
      'POST',
      '/graphql',
      { body: JSON.stringify({ query: 'a'.repeat(1_100_000) }), headers: json },
      413,
    ],
    ['of no type', 'POST', '/logon', { body: Buffer.from('{}') }, 415],
    [
      'a form',
      'POST',
      '/logon',
      { body: 'username=admin', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
    [
      'text',
      'POST',
      '/graphql',
      { body: '{"query":"{__typename}"}', headers: { 'content-type': 'text/plain' } },
      415,
    ],
    ['compressed', 'POST', '/logon', { body: '{}', headers: { ...json, 'content-encoding': 'gzip' } }, 415],
    ['malformed', 'POST', '/logon', { body: '{', headers: json }, 400],
    ['empty', 'POST', '/logon', { body: '', headers: json }, 400],
    ['with a prototype', 'POST', '/manage/roles', { body: '{"__proto__": {"a": 1}}', headers: json }, 400],
    ['not UTF-8', 'POST', '/logon', { body: Buffer.from([0x7b, 0xff, 0x7d]), headers: json }, 400],
  ])('%s', async (_name, method, path, init, status) => {
    const response = await fetch(running.url + path, {
      method,
      ...init,
      headers: { ...('headers' in init ? init.headers : {}), 'x-xaas-auth-token': running.token },
    })
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status,
      type: 'application/problem+json; charset=utf-8',
    })
    expect(Object.keys((await response.json()) as object)).toEqual(
      expect.arrayContaining(['type', 'title', 'status', 'code', 'requestId']),
    )
  })
})

describe('methods', () => {
  test('HEAD is GET without a body', async () => {
    const { status, body } = await running.request('HEAD', '/healthz')
    expect({ status, body }).toEqual({ status: 200, body: '' })
  })

  test('a method that a path lacks is 405 with those it has', async () => {
    const { status, headers } = await running.request('PUT', '/logon')
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })

  test('TRACE answers nothing of what was sent', async () => {
    const answer = await rawRequest(
      running.url,
      'TRACE /healthz HTTP/1.1\r\nHost: localhost\r\nX-Secret: canary\r\n\r\n',
    )
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).not.toContain('canary')
  })

  test('headers that name another method or path are ignored', async () => {
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-original-url': '/manage/roles',
      'x-forwarded-prefix': '/manage',
    }
    expect((await running.request('GET', '/healthz', { headers, token: null })).body).toEqual({
      status: 'ok',
    })
    expect((await running.request('GET', '/manage/roles', { headers, token: null })).status).toBe(401)
  })
})

test('every answer has its id, is not stored, and tells nothing about the server', async () => {
  const { headers } = await running.request('GET', '/whoami')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(['server', 'x-powered-by', 'access-control-allow-origin'].map((name) => headers.get(name))).toEqual([
    null,
    null,
    null,
  ])
})
