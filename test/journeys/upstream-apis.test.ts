/** What an operator and a client do with a published upstream API, from its publication to its end. */
import { describe, expect, test } from 'vitest'
import { startJsonServer } from '../support/json-server.ts'
import { anyProduct } from '../support/products.ts'
import { startPublisher } from '../support/published-upstream.ts'
import { closedPort, startEcho, startHttp } from '../support/upstream-servers.ts'

test.each(anyProduct('SQLite'))(
  'on $name, an API that others wrote is published, used, changed and closed without a restart',
  async (product) => {
    const target = await startJsonServer({
      items: [
        { id: 1, name: 'apple' },
        { id: 2, name: 'pear' },
      ],
    })
    const { request } = await startPublisher(product)
    const gist = async (method: string, path: string, options = {}) => {
      const { status, body } = await request(method, path, options)
      return { status, body }
    }
    const route = {
      name: 'shop',
      path: '/shop/*',
      methods: ['GET', 'POST', 'PATCH', 'DELETE'],
      target,
      prefix: '/shop',
    }
    const shown = { ...route, scope: 'protected', timeout: { connect: 5, response: 30, idle: 300 } }
    expect(await gist('POST', '/manage/routes', { body: route })).toEqual({ status: 201, body: shown })
    expect(await gist('GET', '/manage/routes')).toEqual({ status: 200, body: [shown] })

    const apple = { id: 1, name: 'apple' }
    const plum = { id: 3, name: 'plum' }
    expect(await gist('GET', '/shop/items/1')).toEqual({ status: 200, body: apple })
    expect(await gist('GET', '/shop/items?name=apple')).toEqual({ status: 200, body: [apple] })
    const created = await request('POST', '/shop/items', { body: { name: 'plum' } })
    expect({ status: created.status, body: created.body }).toEqual({ status: 201, body: plum })
    expect(created.headers.get('location')).toBe('/shop/items/3')
    expect(await gist('PATCH', '/shop/items/3', { body: { name: 'prune' } })).toEqual({
      status: 200,
      body: { id: 3, name: 'prune' },
    })
    expect(await gist('DELETE', '/shop/items/3')).toEqual({ status: 200, body: {} })
    expect(await gist('GET', '/shop/items/3')).toEqual({ status: 404, body: {} })
    expect(await gist('HEAD', '/shop/items/1')).toEqual({ status: 200, body: '' })

    const put = await request('PUT', '/shop/items/1', { body: apple })
    expect({ status: put.status, allow: put.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, POST, PATCH, DELETE, HEAD',
    })

    expect((await gist('GET', '/shop/items/1', { token: null })).status).toBe(401)
    await request('PUT', '/manage/routes/shop', { body: { ...route, scope: 'public', methods: ['GET'] } })
    expect(await gist('GET', '/shop/items/1', { token: null })).toEqual({ status: 200, body: apple })
    expect((await gist('POST', '/shop/items', { token: null, body: {} })).status).toBe(401)

    await request('DELETE', '/manage/routes/shop')
    expect((await gist('GET', '/shop/items/1')).status).toBe(404)
    expect((await gist('GET', '/shop/items/1', { token: null })).status).toBe(401)
  },
)

test('a role decides about the path and method of an upstream API as about any other', async () => {
  const echo = await startEcho()
  const { request, publish, url } = await startPublisher()
  await publish('shop', { target: echo.url })
  await request('POST', '/manage/roles', {
    body: { name: 'reader', authorities: [{ regex: '/shop/items(/.*)?', methods: ['GET'] }] },
  })
  const account = { username: 'robin', password: 'a long pass phrase' }
  const made = await request('POST', '/manage/accounts', { body: { ...account, role: 'reader' } })
  const logon = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-xaas-api-key': (made.body as Record<string, string>).api_key ?? '',
    },
    body: JSON.stringify(account),
  })
  const token = ((await logon.json()) as Record<string, string>)['x-xaas-auth-token'] ?? ''
  expect((await request('GET', '/shop/items/1', { token })).status).toBe(200)
  for (const [method, path] of [
    ['POST', '/shop/items'],
    ['GET', '/shop/orders'],
    ['DELETE', '/shop/items/1'],
  ] as const) {
    const { status, body } = await request(method, path, { token })
    expect({ method, path, status, body }).toEqual({ method, path, status: 401, body: {} })
  }
  expect(echo.received.map(({ method, url }) => [method, url])).toEqual([['GET', '/shop/items/1']])
})

describe('of two that could answer', () => {
  test('an API of our own comes before an upstream, whose public scope says nothing about it', async () => {
    const echo = await startEcho()
    const { request, publish } = await startPublisher()
    await publish('all', { path: '/apis/*', scope: 'public', target: echo.url })
    await publish('more', { path: '/whoami', target: echo.url })
    const entity = {
      category: 'test',
      name: 'Port',
      persistence: true,
      api_generation: true,
      abstract: false,
      attributes: {
        identifier: {
          field_name: 'id',
          field_type: 'string',
          field_persistence: true,
          field_immutable: true,
        },
        local_fields: [],
        ref_fields: [],
      },
      methods: { class_methods: [], instance_methods: [] },
    }
    expect((await request('GET', '/apis/ports', { token: null })).body).toMatchObject({ url: '/apis/ports' })
    expect((await request('POST', '/manage/entities', { body: entity })).status).toBe(201)
    expect((await request('GET', '/apis/ports', { token: null })).status).toBe(401)
    expect((await request('GET', '/apis/ports')).body).toEqual([])
    expect((await request('GET', '/apis/ports/p1/more', { token: null })).body).toMatchObject({
      url: '/apis/ports/p1/more',
    })
    expect((await request('GET', '/apis/others', { token: null })).body).toMatchObject({
      url: '/apis/others',
    })
    expect((await request('GET', '/whoami')).body).toMatchObject({ username: 'admin' })
    expect((await request('POST', '/whoami')).status).toBe(405)
  })

  test('the upstream whose path says more does', async () => {
    const [general, special] = [await startEcho(), await startEcho()]
    const { request, publish } = await startPublisher()
    await publish('general', { path: '/shop/*', target: general.url })
    await publish('special', { path: '/shop/items/:id', target: special.url })
    for (const path of ['/shop/items/1', '/shop/items', '/shop/items/1/parts']) await request('GET', path)
    expect(special.received.map(({ url }) => url)).toEqual(['/shop/items/1'])
    expect(general.received.map(({ url }) => url)).toEqual(['/shop/items', '/shop/items/1/parts'])
  })
})

describe('paths', () => {
  test.each([
    ['/shop/*', undefined, '', '/shop/items?a=1&b=/../c', '/shop/items?a=1&b=/../c'],
    ['/shop/*', '/shop', '', '/shop/items', '/items'],
    ['/shop/*', '/shop', '', '/shop/', '/'],
    ['/shop', '/shop', '', '/shop', '/'],
    ['/shop', '/shop', '/v1', '/shop?x', '/v1?x'],
    ['/shop/*', '/shop', '/v1/', '/shop/items/', '/v1/items/'],
    ['/shop/*', undefined, '/v1', '/shop/a%20b/%E6%97%A5', '/v1/shop/a%20b/%E6%97%A5'],
    ['/shop/*', '/shop', '', '/shop/%40evil.example', '/%40evil.example'],
    ['/a b/*', '/a b', '', '/a%20b/c', '/c'],
    ['/shop/*', '/shop', '', '/shop/x?a?b', '/x?a?b'],
  ])('%s without %s, at …%s: %s becomes %s', async (path, prefix, basePath, asked, expected) => {
    const echo = await startEcho()
    const { request, publish } = await startPublisher()
    await publish('shop', { path, target: echo.url + basePath, ...(prefix && { prefix }) })
    expect((await request('GET', asked)).body).toMatchObject({ url: expected })
  })
})

describe('several targets', () => {
  test('are asked in turn', async () => {
    const echoes = await Promise.all([startEcho(), startEcho(), startEcho()])
    const { request, publish } = await startPublisher()
    await publish('shop', { target: echoes.map(({ url }) => url) })
    for (const number of [1, 2, 3, 4, 5, 6]) await request('GET', `/shop/${number}`)
    expect(echoes.map(({ received }) => received.map(({ url }) => url))).toEqual([
      ['/shop/1', '/shop/4'],
      ['/shop/2', '/shop/5'],
      ['/shop/3', '/shop/6'],
    ])
  })

  test('one that is gone is passed over; only what changes nothing is asked again elsewhere', async () => {
    const echo = await startEcho()
    const gone = `http://127.0.0.1:${await closedPort()}`
    const { request, publish } = await startPublisher()
    await publish('shop', { target: [gone, echo.url] })
    expect((await request('DELETE', '/shop/1')).status).toBe(502)
    const statuses = []
    for (const number of [2, 3, 4])
      statuses.push((await request('POST', `/shop/${number}`, { body: {} })).status)
    expect(statuses).toEqual([200, 200, 200])
    await publish('shop', { target: [gone, echo.url], timeout: { connect: 1 } })
    expect((await request('GET', '/shop/5')).status).toBe(200)
    expect(echo.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /shop/2',
      'POST /shop/3',
      'POST /shop/4',
      'GET /shop/5',
    ])
  })

  test('when none is left, the answer is 502', async () => {
    const ports = [await closedPort(), await closedPort()]
    const { request, publish } = await startPublisher()
    await publish('shop', { target: ports.map((port) => `http://127.0.0.1:${port}`) })
    const { status, headers, body } = await request('GET', '/shop/1')
    expect({ status, type: headers.get('content-type'), body }).toEqual({
      status: 502,
      type: 'application/problem+json',
      body: {
        type: '/docs/guide/problems/upstream-unreachable',
        title: 'The upstream API cannot be reached.',
        status: 502,
        code: 'UPSTREAM_UNREACHABLE',
        detail: 'The upstream API cannot be reached.',
        requestId: headers.get('x-request-id'),
      },
    })
  })

  test('health checks take a target out and let it in again', async () => {
    let isWell = false
    const asked: string[] = []
    const ill = await startHttp((request, response) => {
      if (request.url === '/base/up') response.statusCode = isWell ? 204 : 503
      else asked.push(request.url ?? '')
      response.end()
    })
    const echo = await startEcho()
    const { request, publish, events } = await startPublisher()
    await publish('shop', {
      target: [`${ill.url}/base`, echo.url],
      health: { path: '/up', interval: 0.05, threshold: 2 },
    })
    const judgements = () =>
      events.flatMap((event) => (event.kind === 'TargetJudged' ? [`${event.target} ${event.judgement}`] : []))
    await expect.poll(judgements).toContain(`${ill.url}/base down`)
    for (const number of [1, 2, 3, 4]) await request('GET', `/shop/${number}`)
    expect(asked).toEqual([])
    const time = expect.stringMatching(/^\d{4}-.*\+00:00$/)
    expect((await request('GET', '/manage/routes/shop/health')).body).toEqual({
      name: 'shop',
      checked: true,
      targets: [
        {
          target: `${ill.url}/base`,
          state: 'unhealthy',
          since: time,
          failure: { reason: 'The health check of /up was answered with 503.', at: time },
        },
        { target: echo.url, state: 'healthy', since: time, failure: null },
      ],
    })
    isWell = true
    await expect.poll(judgements).toContain(`${ill.url}/base up`)
    for (const number of [5, 6]) await request('GET', `/shop/${number}`)
    expect(asked).toHaveLength(1)
    expect((await request('GET', '/manage/route-health')).body).toMatchObject([
      { name: 'shop', targets: [{ state: 'healthy' }, { state: expect.any(String) }] },
    ])
  })
})
