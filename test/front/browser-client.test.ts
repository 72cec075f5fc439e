/** The client for browsers, as an application uses it: the built module in a real browser. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '../../browser/session.ts'
import { parseTarget } from '../../src/proxy/target.ts'
import type { ShownSession } from '../../src/web-front/session/show-session.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { products } from '../support/products.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const built = fileURLToPath(new URL('../../dist/browser/index.js', import.meta.url))

const application = `<!doctype html><title>App</title><link rel="icon" href="data:,">
<script type="module">
  import * as client from '/client.js'
  window.client = client
  window.gatehouse = client.connect()
  // What became of a call, as a test can read it.
  window.outcome = async (work) => {
    try {
      const result = await work()
      return result instanceof Response ? [result.status, await result.text()] : result
    } catch (error) {
      const { name, message, status, problem, login } = error
      return { name, message, status, code: problem?.code, login }
    }
  }
</script>`

test('the client is an ES module of less than 4 kB that names no other', async () => {
  const code = await readFile(built, 'utf8')
  expect(gzipSync(code).length).toBeLessThan(4096)
  expect(code).not.toMatch(/\bimport\b|require\(/)
})

test('its session is the one that the web front shows', () => {
  const shown = (session: Omit<ShownSession, 'configs' | 'query' | 'params' | 'auth'>): Partial<Session> =>
    session
  expect(shown({ id: 'a', backend: '/backend' })).toEqual({ id: 'a', backend: '/backend' })
})

describe.runIf(hasBrowser).each([true, false])('with transparentTokens: %s', (transparentTokens) => {
  let gateway: TestGateway
  let front: TestFront
  let browser: Browser
  let page: Page
  let received: (readonly [string, string | undefined])[] = []

  /** Sets the cause of the next responses: those of a backend that is not the gateway. */
  const backend = createServer((request, response) => {
    received.push([request.method ?? '', request.headers['x-xaas-auth-token'] as string | undefined])
    response.writeHead(401, { 'x-gatehouse-refused': 'role' })
    response.end('no')
  })

  const outcome = (work: string) => page.evaluate(`outcome(async () => ${work})`)

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    gateway = await startTestGateway(product)
    const route = { path: '/shop/*', methods: ['GET'] }
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
    const address = backend.address()
    const upstream = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await gateway.request('PUT', '/manage/routes/shop', { body: { ...route, target: upstream } })
    const role = { name: 'narrow', authorities: [{ regex: '/graphql|/shop/.*', methods: ['GET', 'POST'] }] }
    await gateway.request('POST', '/manage/roles', { body: role })
    const target = parseTarget(gateway.url)
    if ('mistake' in target) throw new Error(target.mistake)
    const timeouts = { connect: 1000, response: 5000, idle: 5000 }
    const account = { username: 'front', password: 'a long pass phrase', role: 'admin' }
    const made = (await gateway.request('POST', '/manage/accounts', { body: account })).body
    const { api_key: apiKey } = made as { readonly api_key: string }
    front = await startTestFront({
      gateway: { address: gateway.url, credentials: async () => ({ ...account, apiKey }) },
      backends: [
        { proxyPath: '/backend', target, isGateway: true, tokenHeader: 'X-Xaas-Auth-Token', timeouts },
      ],
      providers: [
        {
          name: 'gateway',
          label: 'Staff',
          strategy: { kind: 'gateway' },
          generator: { kind: 'gateway' },
          transparentTokens,
        },
      ],
      files: { 'index.html': application, 'client.js': await readFile(built) },
    })
    browser = await startBrowser()
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    backend.close()
    await front?.close()
    await gateway?.close()
  })

  async function openApplication(): Promise<void> {
    await page.waitForURL(`${front.front.baseUrl}/?tab=ports`)
    await page.waitForFunction('window.outcome !== undefined')
  }

  test('logs in, calls, tells refusals apart, renews a token, and logs out', async () => {
    const body = { username: 'robin', password: 'a long pass phrase', role: 'narrow' }
    await gateway.request('POST', '/manage/accounts', { body })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${front.front.baseUrl}/?tab=ports`)
    await openApplication()
    const loggedOut = {
      name: 'LoginNeeded',
      message: 'You are not logged in.',
      status: 0,
      code: undefined,
      login: '/auth/gateway',
    }
    expect(await outcome('gatehouse.session()')).toEqual(loggedOut)
    expect(await outcome(`gatehouse.fetch('/graphql')`)).toEqual(loggedOut)
    expect(complaints).toEqual([])

    await page.evaluate(`gatehouse.login({ provider: 'gateway', loginHint: 'robin' })`)
    await page.getByLabel('Password').waitFor()
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('robin')
    await page.getByLabel('Password').fill(body.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await openApplication()
    const session = (await outcome('gatehouse.session()')) as Session
    expect([session.auth?.account_id, session.backend, session.query]).toEqual([
      'robin',
      '/backend',
      { tab: 'ports' },
    ])
    expect(session.auth?.accessToken === undefined).toBe(transparentTokens)

    const query = `gatehouse.fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' })`
    const answer = [200, '{"data":{"__typename":"Query"}}']
    expect(await outcome(query)).toEqual(answer)
    expect(await outcome(`gatehouse.fetch('/apis/ports')`)).toEqual({
      name: 'RoleRefused',
      message: 'The role of this account does not allow GET on /apis/ports.',
      status: 401,
      code: undefined,
      login: undefined,
    })
    expect(await outcome(`gatehouse.fetch('/shop/a')`)).toMatchObject({
      name: 'UpstreamRefused',
      status: 401,
    })
    expect(await outcome(`gatehouse.fetch('/graphql/%ff')`)).toMatchObject({ name: 'Refusal', status: 400 })
    for (const path of ['https://evil.example/', '/../logout', 'apis']) {
      expect(await outcome(`gatehouse.fetch(${JSON.stringify(path)})`)).toMatchObject({ name: 'TypeError' })
    }
    expect(received.length).toBe(1)
    received = []

    // The tokens end at the gateway: calls at the same moment renew once, and everything goes on.
    const { status } = await gateway.request('DELETE', '/manage/tokens?account=robin')
    expect(status).toBe(200)
    expect(
      await outcome(`Promise.all([${query}, ${query}].map(async (call) => (await call).status))`),
    ).toEqual([200, 200])

    expect(await outcome('gatehouse.logout()')).toBe(undefined)
    expect(await outcome('gatehouse.session()')).toEqual(loggedOut)
  })

  test('says when there is no answer', async () => {
    await page.context().setOffline(true)
    expect(await outcome('gatehouse.session()')).toEqual({
      name: 'NoAnswer',
      message: 'There was no answer to GET on /session. Is the server running, and reachable from here?',
      status: 0,
      code: undefined,
      login: undefined,
    })
    await page.context().setOffline(false)
  })
})
