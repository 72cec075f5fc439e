/** L. Every way that we know to reach another server, or to be someone else, through a published upstream API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { openPublisher, type PublishedUpstream } from '../support/published-upstream.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startEcho, startHttp, startRaw } from '../support/upstream-servers.ts'

type Headers = readonly (readonly [string, string])[]

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let publisher: PublishedUpstream
  beforeAll(async () => {
    publisher = await openPublisher(product)
  })
  afterAll(() => publisher.close())

  /** A public route to an upstream that tells what it was asked, and requests to it as bytes. */
  async function startShop(route: object = {}) {
    const echo = await startEcho()
    await publisher.publish('shop', { target: echo.url, prefix: '/shop', scope: 'public', ...route })
    const send = (target: string, lines: readonly string[] = [], start = `GET ${target} HTTP/1.1`) =>
      rawRequest(publisher.url, [start, 'Host: api.example.org', ...lines, '', ''].join('\r\n'))
    return { ...publisher, echo, send }
  }

  /** A server that no one may be led to. */
  async function startEvil() {
    const { url, received } = await startEcho()
    return { host: url.slice('http://'.length), received }
  }

  const named = (headers: Headers, name: RegExp) =>
    headers.filter(([given]) => name.test(given)).map(([given, value]) => `${given}: ${value}`)

  describe('L1 the destination is the route’s alone', () => {
    const ways: readonly (readonly [
      string,
      (evil: string) => { target: string; lines?: string[] },
      200 | 400 | 401 | 404,
    ])[] = [
      ['two slashes', (evil) => ({ target: `//${evil}/x` }), 400],
      ['two slashes below the route', (evil) => ({ target: `/shop//${evil}/x` }), 400],
      ['encoded slashes', (evil) => ({ target: `/shop/%2f%2f${evil}/x` }), 400],
      ['a backslash', (evil) => ({ target: `/shop/\\${evil}/x` }), 400],
      ['an encoded backslash', (evil) => ({ target: `/shop/%5c${evil}/x` }), 400],
      ['credentials', (evil) => ({ target: `/shop/@${evil}/x` }), 200],
      ['credentials at once', (evil) => ({ target: `/shop@${evil}/x` }), 401],
      ['no slash at all', (evil) => ({ target: `@${evil}/x` }), 400],
      ['an absolute form', (evil) => ({ target: `http://${evil}/shop/x` }), 200],
      ['an absolute form outside of the route', (evil) => ({ target: `http://${evil}/x` }), 401],
      ['an absolute form of TLS', (evil) => ({ target: `https://${evil}/shop/x` }), 200],
      ['an address in the path', (evil) => ({ target: `/shop/http://${evil}/x` }), 400],
      ['a fragment', (evil) => ({ target: `/shop/x#@${evil}` }), 400],
      ['the query', (evil) => ({ target: `/shop/x?@${evil}/` }), 200],
      ['a port', () => ({ target: '/shop/:80/x' }), 200],
      ['X-Forwarded-Host', (evil) => ({ target: '/shop/x', lines: [`X-Forwarded-Host: ${evil}`] }), 200],
      ['X-Original-URL', (evil) => ({ target: '/shop/x', lines: [`X-Original-URL: http://${evil}/`] }), 200],
      ['Forwarded', (evil) => ({ target: '/shop/x', lines: [`Forwarded: host=${evil}`] }), 200],
      ['a blank and a second target', (evil) => ({ target: `/shop/x http://${evil}/` }), 400],
    ]
    test.each(ways)('not given by %s', async (_name, way, status) => {
      const evil = await startEvil()
      const { send, echo } = await startShop()
      const { target, lines = [] } = way(evil.host)
      const answer = await send(target, lines)
      expect(answer.status).toBe(status)
      expect(evil.received).toEqual([])
      expect(echo.received).toHaveLength(status === 200 ? 1 : 0)
      for (const { headers } of echo.received) {
        expect(named(headers, /^host$/i)).toEqual([`host: ${echo.url.slice('http://'.length)}`])
      }
    })

    test('nor by the Host header', async () => {
      const evil = await startEvil()
      const { url, echo } = await startShop()
      const answer = await rawRequest(url, `GET /shop/x HTTP/1.1\r\nHost: ${evil.host}\r\n\r\n`)
      expect(answer.status).toBe(200)
      expect({ evil: evil.received.length, echo: echo.received.length }).toEqual({ evil: 0, echo: 1 })
    })

    test('and CONNECT opens nothing', async () => {
      const evil = await startEvil()
      const { url } = await startShop()
      const { text } = await rawRequest(url, `CONNECT ${evil.host} HTTP/1.1\r\nHost: ${evil.host}\r\n\r\n`)
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(evil.received).toEqual([])
    })

    test('a route that leads back to itself ends, and is answered', async () => {
      const { url, publish, request } = publisher
      await publish('circle', { path: '/circle/*', scope: 'public', target: url })
      const { status, body } = await request('GET', '/circle/x', { token: null })
      expect({ status, body }).toMatchObject({ status: 508, body: { code: 'UPSTREAM_LOOP' } })
    })
  })

  describe('L2 only what lies below the route is reached', () => {
    test.each([
      ['/shop/../admin', 400],
      ['/shop/%2e%2e/admin', 400],
      ['/shop/.%2e/admin', 400],
      ['/shop/..%2fadmin', 400],
      ['/shop/..%5cadmin', 400],
      ['/shop/..;/admin', 400],
      ['/shop/%2e%2e;x/admin', 400],
      ['/shop/;/admin', 400],
      ['/shop/./admin', 400],
      ['/shop/a%00', 400],
      ['/shop/a%0d%0aX-Evil:%201', 400],
      ['/shop/%c0%ae%c0%ae/admin', 400],
      ['/shopping', 401],
      ['/shop', 401],
      ['/SHOP/x', 401],
    ])('%s', async (target, status) => {
      const { send, echo } = await startShop()
      expect((await send(target)).status).toBe(status)
      expect(echo.received).toEqual([])
    })

    test.each([
      ['/shop/%252e%252e/admin', '/%252e%252e/admin'],
      ['/shop/a%3bb', '/a%3Bb'],
      ['/shop/%61dmin', '/admin'],
      ['/shop/a%3Fb', '/a%3Fb'],
      ['/shop/a%23b', '/a%23b'],
      ['/shop/...', '/...'],
    ])('%s is forwarded as it was decided about: %s', async (target, expected) => {
      const { send, echo } = await startShop()
      expect((await send(target)).status).toBe(200)
      expect(echo.received.map(({ url }) => url)).toEqual([expected])
    })
  })

  describe('L3 headers of one connection stay on it', () => {
    test('those of the client’s, and those that it names, do not reach the upstream', async () => {
      const { send, echo } = await startShop()
      await send('/shop/x', [
        'Connection: keep-alive, X-Hop, X-Forwarded-For, x-gatehouse-account',
        'Connection: x-other',
        'X-Hop: 1',
        'x_other: 2',
        'Keep-Alive: timeout=1000',
        'Proxy-Connection: keep-alive',
        'Proxy-Authorization: Basic eDp5',
        'TE: trailers',
        'Trailer: X-End',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        'X-Kept: yes',
      ])
      expect(named(echo.received[0]?.headers ?? [], /^(?!host|via|x-request-id)/i)).toEqual([
        'connection: keep-alive',
        'X-Forwarded-For: 127.0.0.1',
        'X-Forwarded-Proto: http',
        'X-Forwarded-Host: api.example.org',
        'X-Forwarded-Prefix: /shop',
        'X-Kept: yes',
      ])
    })

    test('those of the upstream’s do not reach the client', async () => {
      const upstream = await startRaw((socket) =>
        socket.end(
          [
            'HTTP/1.1 200 OK',
            'Connection: close, X-Hop',
            'X-Hop: 1',
            'Keep-Alive: timeout=1000',
            'Proxy-Authenticate: Basic',
            'Trailer: X-End',
            'Upgrade: h2c',
            'X-Kept: yes',
            'Content-Length: 2',
            '',
            'ok',
          ].join('\r\n'),
        ),
      )
      const { request, publish } = publisher
      await publish('shop', { target: upstream.url })
      const { headers, body } = await request('GET', '/shop/x')
      expect(body).toBe('ok')
      expect([...headers.keys()].toSorted()).toEqual([
        'cache-control',
        'connection',
        'content-length',
        'date',
        'keep-alive',
        'vary',
        'x-gatehouse-schema',
        'x-kept',
        'x-request-id',
      ])
      expect(headers.get('connection')).toBe('keep-alive')
      expect(headers.get('keep-alive')).not.toBe('timeout=1000')
    })

    test('cookies of the gateway’s neither', async () => {
      const { send, echo } = await startShop()
      await send('/shop/x', [
        'Cookie: a=1; __Host-gatehouse-session=secret; b=2; gatehouse_session=secret; __Secure-Gatehouse=secret',
      ])
      await send('/shop/y', ['Cookie: __Host-gatehouse-session=secret'])
      expect(echo.received.map(({ headers }) => named(headers, /cookie/i))).toEqual([
        ['Cookie: a=1; b=2'],
        [],
      ])

      const setter = await startHttp((_request, response) => {
        response.setHeader('set-cookie', ['a=1', '__Host-gatehouse-session=evil; Path=/; Secure', 'b=2'])
        response.end()
      })
      const { request, publish } = publisher
      await publish('shop', { target: setter.url })
      expect((await request('GET', '/shop/x')).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    })
  })

  describe('L4 C10 who is calling is said by the gateway alone', () => {
    test('in whatever spelling a client says it', async () => {
      const { send, token, echo } = await startShop({ scope: 'protected' })
      const lies = [
        'X-Gatehouse-Account',
        'x_gatehouse_account',
        'X.Gatehouse.Account',
        'X-GATEHOUSE_ROLES',
        'X-Gatehouse-Anything',
        'X-User',
        'x_user',
        'Remote-User',
        'X-Remote-User',
        'X-Forwarded-User',
      ].map((name) => `${name}: evil`)
      const answer = await send('/shop/x', [`X-Xaas-Auth-Token: ${token}`, ...lies, ...lies])
      expect(answer.status).toBe(200)
      const headers = echo.received[0]?.headers ?? []
      expect(named(headers, /^x-gatehouse|user/i)).toEqual([
        'X-Gatehouse-Account: admin',
        'X-Gatehouse-Roles: admin',
      ])
      expect(JSON.stringify(headers)).not.toContain('evil')
    })

    test('and by no one where anybody may call', async () => {
      const { send, token, echo } = await startShop()
      await send('/shop/x', [`X-Xaas-Auth-Token: ${token}`, 'X-Gatehouse-Account: evil'])
      expect(named(echo.received[0]?.headers ?? [], /^x-gatehouse/i)).toEqual([])
    })

    test('names that do not fit into a header are percent-encoded', async () => {
      const { request, publish, echo } = await startShop({ scope: 'protected' })
      await publish('shop', { target: echo.url })
      const role = 'lecteurs, été'
      const username = '日本 100%'
      const password = 'a long pass phrase'
      await request('POST', '/manage/roles', {
        body: { name: role, authorities: [{ regex: '/shop/.*', methods: ['GET'] }] },
      })
      const made = await request('POST', '/manage/accounts', {
        body: { username, password, role: [role, 'admin'] },
      })
      const logon = await request('POST', '/logon', {
        body: { username, password },
        headers: { 'x-xaas-api-key': (made.body as { api_key: string }).api_key },
        token: null,
      })
      const token = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
      expect((await request('GET', '/shop/x', { token })).status).toBe(200)
      expect(named(echo.received[0]?.headers ?? [], /^x-gatehouse/i)).toEqual([
        'X-Gatehouse-Account: %E6%97%A5%E6%9C%AC%20100%25',
        'X-Gatehouse-Roles: lecteurs%2C%20%C3%A9t%C3%A9, admin',
      ])
    })

    test.each([
      ['X-Xaas-Auth-Token', (token: string) => token],
      ['Authorization', (token: string) => `Bearer ${token}`],
      ['Authorization', (token: string) => `bearer   ${token}`],
    ])('the token in %s stays here', async (name, write) => {
      const { send, token, apiKey, echo } = await startShop({ scope: 'protected' })
      const lines = [
        `${name}: ${write(token)}`,
        `x_xaas_auth_token: ${token}`,
        `X-Xaas-Api-Key: ${apiKey}`,
        `X_XAAS_API_KEY: ${apiKey}`,
      ]
      expect((await send('/shop/x', lines)).status).toBe(200)
      expect(echo.received).toHaveLength(1)
      const sent = JSON.stringify(echo.received)
      expect([sent.includes(token), sent.includes(apiKey)]).toEqual([false, false])
    })

    test('on a public route only what is ours stays here', async () => {
      const { send, token, echo } = await startShop()
      await send('/shop/x', [`Authorization: Bearer ${token}`])
      await send('/shop/y', ['Authorization: Bearer of-the-upstream'])
      await send('/shop/z', ['Authorization: Basic eDp5'])
      expect(echo.received.map(({ headers }) => named(headers, /^authorization$/i))).toEqual([
        [],
        ['Authorization: Bearer of-the-upstream'],
        ['Authorization: Basic eDp5'],
      ])
    })
  })

  describe('L4 A13 what only a proxy may say', () => {
    test('is dropped from a client, in every spelling, and said again', async () => {
      const { send, echo } = await startShop()
      const names = [
        'X-Forwarded-For',
        'X_Forwarded_For',
        'x-forwarded_for',
        'X-Forwarded-Proto',
        'X-Forwarded-Host',
        'X-Forwarded-Port',
        'X-Forwarded-Prefix',
        'X-Forwarded-Uri',
        'X-Forwarded',
        'Forwarded',
        'X-Real-IP',
        'x_real_ip',
        'X-Client-IP',
        'True-Client-IP',
        'CF-Connecting-IP',
        'X-Original-URL',
        'X_Original_URL',
        'X-Rewrite-URL',
        'X-HTTP-Method-Override',
        'X_Method_Override',
        'Proxy',
      ]
      await send('/shop/x', [...names.map((name) => `${name}: evil`), 'X-Request-Id: evil'])
      const headers = echo.received[0]?.headers ?? []
      expect(JSON.stringify(headers)).not.toContain('evil')
      expect(named(headers, /forwarded/i)).toEqual([
        'X-Forwarded-For: 127.0.0.1',
        'X-Forwarded-Proto: http',
        'X-Forwarded-Host: api.example.org',
        'X-Forwarded-Prefix: /shop',
      ])
    })

    test('a Host that is no name of a host is not told on', async () => {
      const { url, echo } = await startShop()
      await rawRequest(url, 'GET /shop/x HTTP/1.1\r\nHost: evil"><script>\r\n\r\n')
      expect(named(echo.received[0]?.headers ?? [], /^x-forwarded-host$/i)).toEqual([])
    })
  })

  describe('L5 redirects', () => {
    const ways: readonly (readonly [string, string, string])[] = [
      ['a path of the upstream', '/items/1?a=b#c', '/shop/items/1?a=b#c'],
      ['an address of the upstream', 'SELF/items/1', '/shop/items/1'],
      ['a relative path', 'other', '/shop/a/other'],
      ['a path to the root', '/', '/shop/'],
      [
        'another server',
        'http://169.254.169.254/latest/meta-data',
        'http://169.254.169.254/latest/meta-data',
      ],
      ['another server without a scheme', '//evil.example/x', '//evil.example/x'],
      ['another port', 'http://127.0.0.1:1/x', 'http://127.0.0.1:1/x'],
      ['what cannot be read in one way', '/a%2fb', '/a%2fb'],
      ['no address', 'http://', 'http://'],
    ]
    test.each(ways)('to %s are passed on and not followed', async (_name, location, expected) => {
      const asked: string[] = []
      const upstream = await startHttp((request, response) => {
        asked.push(request.url ?? '')
        const self = `http://${request.headers.host}`
        response.writeHead(302, { location: location.replace('SELF', self) }).end()
      })
      const { publish, url } = publisher
      await publish('shop', { target: upstream.url, prefix: '/shop', scope: 'public' })
      const answer = await fetch(`${url}/shop/a/b`, { redirect: 'manual' })
      expect({ status: answer.status, location: answer.headers.get('location'), asked }).toEqual({
        status: 302,
        location: expected,
        asked: ['/a/b'],
      })
    })

    test('out of the target’s own path, or to where the route does not lead, stay as they are', async () => {
      const upstream = await startHttp((request, response) => {
        response.writeHead(302, { location: request.url === '/v1/a' ? '/v2/x' : '/v1/items/deep/down' }).end()
      })
      const { publish, url } = publisher
      await publish('shop', {
        path: '/shop/:id',
        target: `${upstream.url}/v1`,
        prefix: '/shop',
        scope: 'public',
      })
      const locationOf = async (path: string) =>
        (await fetch(url + path, { redirect: 'manual' })).headers.get('location')
      expect([await locationOf('/shop/a'), await locationOf('/shop/b')]).toEqual([
        '/v2/x',
        '/v1/items/deep/down',
      ])
    })
  })

  test('L7 an upstream’s 401 is passed on, and the request is not repeated', async () => {
    const asked: string[] = []
    const upstream = await startHttp((request, response) => {
      asked.push(request.method ?? '')
      response.writeHead(401, { 'www-authenticate': 'Basic realm="shop"' }).end('no')
    })
    const { request, publish } = publisher
    await publish('shop', { target: upstream.url })
    const { status, headers, body } = await request('GET', '/shop/x')
    expect({ status, challenge: headers.get('www-authenticate'), body }).toEqual({
      status: 401,
      challenge: 'Basic realm="shop"',
      body: 'no',
    })
    expect(asked).toEqual(['GET'])
  })

  describe('L10 what one account is answered does not reach another out of a cache', () => {
    test.each([
      [undefined, 'no-store'],
      ['public, max-age=60', 'private, max-age=60'],
      ['s-maxage=60, max-age=5', 'private, max-age=5'],
      ['no-store', 'no-store'],
      ['private, max-age=60', 'private, max-age=60'],
      ['no-cache', 'private, no-cache'],
    ])('%s becomes %s where a token is needed, and stays where none is', async (given, expected) => {
      const upstream = await startHttp((_request, response) => {
        if (given !== undefined) response.setHeader('cache-control', given)
        response.setHeader('vary', 'Accept')
        response.end()
      })
      const { request, publish } = publisher
      const cachingOf = async () => {
        const { headers } = await request('GET', '/shop/x')
        return [headers.get('cache-control'), headers.get('vary')]
      }
      await publish('shop', { target: upstream.url })
      expect(await cachingOf()).toEqual([expected, 'Accept, X-Xaas-Auth-Token, Authorization'])
      await publish('shop', { target: upstream.url, scope: 'public' })
      expect(await cachingOf()).toEqual([given ?? null, 'Accept'])
    })

    test('and the gateway has none', async () => {
      const { request, publish, echo } = await startShop()
      await publish('shop', { target: echo.url })
      await Promise.all([1, 2, 3].map(() => request('GET', '/shop/same')))
      expect(echo.received).toHaveLength(3)
    })
  })

  describe('A10 requests that two servers could read differently', () => {
    const start = 'POST /shop/x HTTP/1.1\r\nHost: a\r\n'
    test.each([
      ['a length and chunks', `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      ['two lengths', `${start}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
      ['an unknown coding', `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
      ['a coding before the chunks', `${start}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
      ['chunks twice', `${start}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      ['a blank before the colon', `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
      ['a bare line feed', `POST /shop/x HTTP/1.1\nHost: a\n\n`],
      ['a folded header', `${start}X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`],
      ['a length with a sign', `${start}Content-Length: +5\r\n\r\nhello`],
      ['a chunk size that is not one', `${start}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`],
    ])('%s', async (_name, bytes) => {
      const { url, echo } = await startShop()
      const { status } = await rawRequest(url, bytes)
      expect(status).toBe(400)
      expect(echo.received).toEqual([])
    })

    test('a second request inside of a body stays a body', async () => {
      const { url, echo } = await startShop()
      const inner = 'GET /manage/roles HTTP/1.1\r\nHost: a\r\n\r\n'
      await rawRequest(
        url,
        `GET /shop/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      )
      expect(echo.received.map(({ method, url, body }) => [method, url, body])).toEqual([
        ['GET', '/x', inner],
      ])
    })

    test('naming the length as a header of the connection does not let the body loose', async () => {
      const { url, echo } = await startShop()
      const body = 'GET /evil HTTP/1.1\r\nHost: a\r\n\r\n'
      await rawRequest(
        url,
        `POST /shop/x HTTP/1.1\r\nHost: a\r\nConnection: content-length, transfer-encoding\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      expect(echo.received.map(({ url, body }) => [url, body])).toEqual([['/x', body]])
    })
  })
})
