/** Which credentials and headers an upstream API gets, and what the client sees of its links and cookies. */
import { expect, onTestFinished, test } from 'vitest'
import { anyProduct, products } from '../support/products.ts'
import { startPublisher } from '../support/published-upstream.ts'
import { startTestGateway } from '../support/test-gateway.ts'
import { startEcho, startHttp } from '../support/upstream-servers.ts'

type Received = { readonly headers: readonly (readonly [string, string])[] } | undefined
const values = (received: Received, name: string) =>
  received?.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)

test('a bearer token beside the gateway’s own header is for the upstream', async () => {
  const echo = await startEcho()
  const { request, publish, token } = await startPublisher()
  await publish('shop', { target: echo.url })
  await publish('open', { path: '/open/*', target: echo.url, scope: 'public' })
  const ask = async (path: string, headers: Readonly<Record<string, string>>, own: string | null = token) => {
    const { status } = await request('GET', path, { headers, token: own })
    const received = echo.received.splice(0).at(0)
    return [status, values(received, 'authorization'), values(received, 'x-xaas-auth-token')]
  }
  expect(await ask('/shop/x', { authorization: 'Bearer theirs' })).toEqual([200, ['Bearer theirs'], []])
  expect(await ask('/shop/x', { authorization: 'Basic dTpw' })).toEqual([200, ['Basic dTpw'], []])
  expect(await ask('/shop/x', { authorization: `Bearer ${token}` })).toEqual([200, [], []])
  expect(await ask('/shop/x', { authorization: `Bearer ${token}` }, null)).toEqual([200, [], []])
  expect(await ask('/open/x', { authorization: 'Bearer theirs' }, null)).toEqual([200, ['Bearer theirs'], []])
  const another = `ght_${'x'.repeat(43)}`
  for (const own of [null, another]) {
    expect(await ask('/shop/x', { authorization: 'Bearer theirs' }, own)).toEqual([401, undefined, undefined])
  }
  expect(await ask('/shop/x', { authorization: `Bearer ${another}` })).toEqual([401, undefined, undefined])
  // At the gateway's own APIs two different tokens are refused.
  expect((await request('GET', '/whoami', { headers: { authorization: 'Bearer theirs' } })).status).toBe(401)
})

test.each(anyProduct('MariaDB'))(
  'on $name, a route sets headers for its upstream, with secrets of the configuration',
  async (product) => {
    const echo = await startEcho()
    const other = await startEcho()
    const settings = { upstreamSecrets: { billing: { value: 's3cret-of-billing', targets: [echo.url] } } }
    const gateway = await startTestGateway(product, undefined, settings)
    onTestFinished(() => gateway.close())
    const { request } = gateway
    const headers = {
      set: {
        'X-Tenant': 'acme, inc.',
        Authorization: { secret: 'billing', prefix: 'Bearer ' },
        'X-Key': { secret: 'billing' },
      },
    }
    const route = { path: '/shop/*', methods: ['GET'], target: echo.url, headers }
    const written = await request('PUT', '/manage/routes/shop', { body: route })
    expect(written).toMatchObject({ status: 201, body: { headers } })
    expect((await request('GET', '/manage/routes/shop')).body).toMatchObject({ headers })
    await request('GET', '/shop/x', {
      headers: { x_tenant: 'evil', 'x-tenant': 'evil', authorization: 'Bearer mine', 'x-own': 'kept' },
    })
    const [received] = echo.received
    expect([
      values(received, 'x-tenant'),
      values(received, 'x_tenant'),
      values(received, 'authorization'),
      values(received, 'x-key'),
      values(received, 'x-own'),
    ]).toEqual([['acme, inc.'], [], ['Bearer s3cret-of-billing'], ['s3cret-of-billing'], ['kept']])
    for (const path of ['/manage/routes', '/manage/audit', '/manage/routes/shop']) {
      expect(JSON.stringify((await request('GET', path)).body)).not.toContain('s3cret')
    }

    const elsewhere = { ...route, target: [echo.url, other.url] }
    expect(await request('PUT', '/manage/routes/shop', { body: elsewhere })).toMatchObject({
      status: 422,
      body: {
        errors: [
          {
            pointer: '/headers/set/Authorization/secret',
            detail: `The secret "billing" must not be sent to ${other.url}.`,
          },
          { pointer: '/headers/set/X-Key/secret' },
        ],
      },
    })
    expect(JSON.stringify(gateway.events)).not.toContain('s3cret')
  },
)

test('headers that a route must not set are refused, all at once', async () => {
  const { request } = await startPublisher()
  const names = ['Host', 'content-length', 'Connection', 'TE', 'X-Forwarded-For', 'X-Gatehouse-Account']
  const others = ['X-Xaas-Auth-Token', 'X-Request-Id', 'Sec-WebSocket-Key', 'X Y', 'Xä', '']
  const all = [...names, ...others]
  const body = {
    path: '/shop/*',
    methods: ['GET'],
    target: 'http://127.0.0.1:1',
    headers: { set: Object.fromEntries(all.map((name) => [name, 'x'])) },
  }
  const refused = await request('PUT', '/manage/routes/shop', { body })
  expect([refused.status, (refused.body as { errors: unknown[] }).errors.length]).toEqual([422, all.length])
  const pointersOf = async (headers: unknown) => {
    const answer = await request('PUT', '/manage/routes/shop', { body: { ...body, headers } })
    const { errors } = answer.body as { errors: readonly { pointer: string }[] }
    return [answer.status, ...errors.map(({ pointer }) => pointer)]
  }
  expect(await pointersOf({ set: { 'X-A': 'a\r\nX-B: b' } })).toEqual([422, '/headers/set/X-A'])
  expect(await pointersOf({ set: { 'X-A': 'a', 'x-a': 'b' } })).toEqual([422, '/headers/set'])
  expect(await pointersOf({ set: { 'X-A': { secret: 'none' } } })).toEqual([422, '/headers/set/X-A/secret'])
  expect(await pointersOf({ set: [] })).toEqual([422, '/headers/set'])
  expect(await pointersOf({})).toEqual([422, '/headers/set'])
})

test('a route whose secret is gone sends nothing without it', async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  const database = await product.createDatabase()
  const shared = { createDatabase: async () => ({ ...database, remove: async () => undefined }) }
  onTestFinished(() => database.remove())
  const echo = await startEcho()
  const billing = { value: 's3cret', targets: [echo.url] }
  const before = await startTestGateway(shared, undefined, { upstreamSecrets: { billing } })
  const route = { path: '/shop/*', methods: ['GET'], target: echo.url, scope: 'public' }
  const headers = { set: { 'X-Key': { secret: 'billing' } } }
  await before.request('PUT', '/manage/routes/shop', { body: { ...route, headers } })
  expect((await before.request('GET', '/shop/x')).status).toBe(200)
  await before.close()
  for (const upstreamSecrets of [{}, { billing: { ...billing, targets: ['http://127.0.0.1:1'] } }]) {
    const after = await startTestGateway(shared, undefined, { upstreamSecrets })
    const answer = await after.request('GET', '/shop/x', { token: null })
    await after.close()
    expect(answer).toMatchObject({ status: 503, body: { code: 'ROUTE_SECRET_MISSING' } })
    expect(JSON.stringify(answer.body)).not.toContain('billing')
    expect(after.events).toContainEqual(expect.objectContaining({ kind: 'RequestFailed' }))
  }
  expect(echo.received.length).toBe(1)
})

test('with “rewrite”, links and cookies of an upstream lead back through the gateway', async () => {
  const upstream = await startHttp((request, response) => {
    const { host } = request.headers
    response.writeHead(200, [
      ...['Location', '../b?x=1', 'Content-Location', `http://${host}/v1/c`],
      ...['Link', `<http://${host}/v1/items?page=2>; rel="next"; title="a <b>, c", </v1/items>; rel=first`],
      ...['Link', '<?page=3>; rel=last, <https://elsewhere.example/x>; rel=other, </v2/x>; rel=outside'],
      ...['Set-Cookie', 'a=1; Path=/v1/items; Domain=127.0.0.1; HttpOnly'],
      ...['Set-Cookie', 'b=/v1; path=/', 'Set-Cookie', 'c=1', 'Set-Cookie', 'd=1; Path=/v2'],
      ...['Set-Cookie', '__Host-e=1; Secure; Path=/'],
    ])
    response.end()
  })
  const { request, publish } = await startPublisher()
  const target = `${upstream.url}/v1`
  await publish('shop', { target, prefix: '/shop' })
  const plain = await request('GET', '/shop/items/1')
  expect(plain.headers.get('location')).toBe('/shop/b?x=1')
  expect(plain.headers.get('link')).toContain(`<${upstream.url}/v1/items?page=2>`)
  expect(plain.headers.getSetCookie()[1]).toBe('b=/v1; path=/')
  await publish('shop', { target, prefix: '/shop', rewrite: true })
  const { headers } = await request('GET', '/shop/items/1')
  expect([headers.get('location'), headers.get('content-location')]).toEqual(['/shop/b?x=1', '/shop/c'])
  expect(headers.get('link')).toBe(
    '</shop/items?page=2>; rel="next"; title="a <b>, c", </shop/items>; rel=first, </shop/items/1?page=3>; rel=last, <https://elsewhere.example/x>; rel=other, </v2/x>; rel=outside',
  )
  expect(headers.getSetCookie()).toEqual([
    'a=1; Path=/shop/items; HttpOnly',
    'b=/v1; path=/shop',
    'c=1',
    'd=1; Path=/v2',
    '__Host-e=1; Secure; Path=/',
  ])
})
