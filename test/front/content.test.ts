import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWebFront } from '../../src/web-front/web-front.ts'
import { rawRequest } from '../support/raw-request.ts'
import { frontDefaults, startTestFront, type TestFront } from '../support/test-front.ts'

const code = 'console.log("hello")'
let running: TestFront

beforeAll(async () => {
  running = await startTestFront({
    content: { patterns: ['/', '/tenants/:tenant/ports/:port', '/app/*'], policy: { 'img-src': "'self'" } },
    files: {
      'assets/index-BkX93kd1.js': code,
      'assets/index-BkX93kd1.js.br': brotliCompressSync(code),
      'assets/index-BkX93kd1.js.map': '{}',
      'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'help.html': '<script src="/assets/index-BkX93kd1.js"></script>',
      '.env': 'SECRET=1',
      '.git/config': 'x',
      '../outside.txt': 'outside',
    },
  })
})
afterAll(() => running.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(running.url + path, { headers, redirect: 'manual' })

describe('the page', () => {
  test.each(['/', '/?a=b', '/tenants/acme.org/ports/p1', '/app', '/app/', '/app/deep/down'])(
    'is rendered at %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const nonce = /'nonce-([\w-]+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
      expect(await response.text()).toBe(
        `<!doctype html><title>App</title><script nonce=${nonce}>start()</script><p>Hello</p>`,
      )
    },
  )

  test('has headers that close what a browser leaves open', async () => {
    const { headers } = await get('/')
    expect(headers.get('content-security-policy')?.replaceAll(/nonce-[\w-]{22}/g, 'nonce-N')).toBe(
      "script-src 'self' 'nonce-N'; style-src 'self' 'nonce-N'; default-src 'self'; img-src 'self'; " +
        "font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    const names = [
      'cache-control',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
      'strict-transport-security',
      'access-control-allow-origin',
    ]
    expect(names.map((name) => headers.get(name))).toEqual([
      'no-store',
      'same-origin',
      'same-origin',
      'same-origin',
      'nosniff',
      'DENY',
      null,
      null,
    ])
  })

  test('has another nonce each time, in other HTML files as well', async () => {
    const pages = await Promise.all(['/', '/', '/help.html', '/index.html'].map((path) => get(path)))
    const nonces = pages.flatMap(({ headers }) =>
      [...(headers.get('content-security-policy') ?? '').matchAll(/script-src 'self' 'nonce-([\w-]+)'/g)].map(
        ([, nonce]) => nonce,
      ),
    )
    expect(new Set(nonces).size).toBe(4)
  })

  test('is for HTTPS alone where browsers reach it by HTTPS', async () => {
    const secure = await startTestFront({ baseUrl: 'https://app.example.org' })
    try {
      expect(secure.front.baseUrl).toBe('https://app.example.org')
      const { headers } = await fetch(secure.url)
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    } finally {
      await secure.close()
    }
  })
})

describe('files', () => {
  test('named by their content are kept for ever, others are asked for', async () => {
    const hashed = await get('/assets/index-BkX93kd1.js')
    expect([hashed.status, hashed.headers.get('cache-control'), await hashed.text()]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      code,
    ])
    const plain = await get('/logo.svg')
    expect([plain.status, plain.headers.get('cache-control'), plain.headers.get('content-type')]).toEqual([
      200,
      'no-cache',
      'image/svg+xml',
    ])
    const again = await rawRequest(
      running.url,
      `GET /logo.svg HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${plain.headers.get('etag')}\r\n\r\n`,
    )
    expect(again.status).toBe(304)
  })

  test('that were compressed at the build are sent so', async () => {
    const answer = await rawRequest(
      running.url,
      'GET /assets/index-BkX93kd1.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br, gzip\r\n\r\n',
    )
    const [head = '', body = ''] = answer.text.split('\r\n\r\n', 2)
    expect(head.toLowerCase()).toContain('content-encoding: br')
    expect(head.toLowerCase()).toContain('vary: accept-encoding')
    expect(head.toLowerCase()).toContain('content-type: application/javascript')
    expect(brotliDecompressSync(Buffer.from(body, 'latin1')).toString()).toBe(code)
  })

  test.each([
    ['a missing asset', '/x.js', 404],
    ['a missing asset below a page', '/app/x.js', 404],
    ['a path that is no page', '/nowhere', 404],
    ['a hidden file', '/.env', 404],
    ['a file in a hidden folder', '/.git/config', 404],
    ['a source map', '/assets/index-BkX93kd1.js.map', 404],
    ['a folder', '/assets', 404],
    ['a folder with a slash', '/assets/', 404],
    ['a climb', '/../outside.txt', 400],
    ['an encoded climb', '/%2e%2e/outside.txt', 400],
    ['an encoded slash', '/..%2f..%2fetc/passwd', 400],
    ['a NUL', '/logo.svg%00.html', 400],
  ])('%s is not served', async (_what, path, status) => {
    const { status: answered, text } = await rawRequest(
      running.url,
      `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(answered).toBe(status)
    expect(text).toContain('application/problem+json')
  })

  test('are not there for other methods', async () => {
    const response = await fetch(`${running.url}/logo.svg`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

test('the service says that it is alive and ready', async () => {
  expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([200, 200])
})

test('a folder without a page is refused at the start', async () => {
  const start = startWebFront({
    ...frontDefaults('/nowhere'),
    observe: () => {},
  })
  await expect(start).rejects.toMatchObject({ code: 'CONTENT_MISSING' })
})
