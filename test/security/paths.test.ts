/** Every request target has one reading: for the decision, for the route, for the upstream API and for the log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { type EchoServer, startEcho } from '../support/upstream-servers.ts'
import { requestTargets, type Verdict } from './request-targets.ts'

const named = requestTargets.map((verdict) => [JSON.stringify(verdict.target), verdict] as const)

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  let reader: string
  let echo: EchoServer

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const authorities = [{ regex: '/shop/ports(/p1)?', methods: ['GET'] }]
    await gateway.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
    reader = await newToken('robin', 'reader')
    echo = await startEcho('caller')
    const route = { methods: ['GET'], target: echo.url }
    await gateway.request('PUT', '/manage/routes/shop', { body: { ...route, path: '/shop/*' } })
    await gateway.request('PUT', '/manage/routes/public', {
      body: { ...route, path: '/shop/public/*', scope: 'public' },
    })
  })
  afterAll(() => Promise.all([gateway.close(), echo.close()]))

  async function newToken(username: string, role: string): Promise<string> {
    const password = 'a long pass phrase'
    const { body } = await gateway.request('POST', '/manage/accounts', { body: { username, password, role } })
    const logon = await gateway.request('POST', '/logon', {
      body: { username, password },
      headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
    })
    return (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  }

  const send = (target: string, token?: string) =>
    rawRequest(
      gateway.url,
      [
        `GET ${target} HTTP/1.1`,
        'Host: api.example.org',
        ...(token === undefined ? [] : [`X-Xaas-Auth-Token: ${token}`]),
        '',
        '',
      ].join('\r\n'),
    )

  /** What the log said of the requests since it was asked last: their paths. */
  let seen = 0
  const loggedPaths = () => {
    const events = gateway.events.slice(seen)
    seen = gateway.events.length
    return events.flatMap((event) => (event.kind === 'RequestHandled' ? [event.path] : []))
  }

  const forwardedAs = ({ target, path }: { readonly target: string; readonly path: string }) =>
    path.split('/').map(encodeURIComponent).join('/') + (/\?.*$/.exec(target)?.[0] ?? '')

  const explained = async (target: string) => {
    const query = new URLSearchParams({ account: 'robin', method: 'GET', path: target })
    return (await gateway.request('GET', `/manage/explain-access?${query}`)).body
  }

  test('D1–D9 D12 D14 L1 L2: there are more than a hundred targets', () => {
    expect(new Set(requestTargets.map(({ target }) => target)).size).toBe(requestTargets.length)
    expect(requestTargets.length).toBeGreaterThan(100)
  })

  test.each(named)('%s', async (_name, verdict: Verdict) => {
    const { target } = verdict
    echo.received.length = 0
    loggedPaths()
    const answers = {
      nobody: await send(target),
      reader: await send(target, reader),
      admin: await send(target, gateway.token),
    }
    const statuses = Object.fromEntries(Object.entries(answers).map(([who, { status }]) => [who, status]))
    const forwarded = echo.received.map(({ url }) => url)
    const logged = loggedPaths().filter((path) => path !== '')

    if ('refused' in verdict) {
      expect({ statuses, forwarded, logged }).toEqual({
        statuses: { nobody: 400, reader: 400, admin: 400 },
        forwarded: [],
        logged: [],
      })
      if (!/[^\x20-\x7e]/.test(target)) expect(await explained(target)).toMatchObject({ allowed: false })
      return
    }
    const { path, allowed } = verdict
    const isShop = path.startsWith('/shop/')
    const there = isShop || path === '/manage/roles' ? 200 : 404
    const expected = {
      nobody: allowed === 'public' ? there : 401,
      reader: allowed === 'no' ? 401 : there,
      admin: there,
    }
    const lettingIn = Object.values(expected).filter((status) => status === 200).length
    expect({ statuses, forwarded, logged }).toEqual({
      statuses: expected,
      forwarded: isShop ? Array(lettingIn).fill(forwardedAs({ target, path })) : [],
      logged: [path, path, path],
    })
    expect(await explained(target)).toMatchObject({ path, allowed: allowed !== 'no' })
  })
})
