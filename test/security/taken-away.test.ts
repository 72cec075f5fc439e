/** R8. What an administrator takes away stays away, whatever sessions are open at the web front. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import type { SessionStoreOptions } from '../../src/web-front/session/open-session-store.ts'
import { type FaultyProvider, faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { partOf } from '../support/part-of.ts'
import { anyProduct, products } from '../support/products.ts'
import { redisUrl } from '../support/redis-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const password = 'a long pass phrase'
const tokenModule = 'export default () => ({ generate: async () => ({ accessToken: "made-elsewhere" }) })'

/** The ways to log in with an account of the gateway. */
const ways = [
  'openid, generator gateway',
  'gateway',
  'gateway, generator gateway',
  'gateway, generator module',
]

const stores: Readonly<Record<string, (folder: string) => SessionStoreOptions>> = {
  memory: () => ({ product: 'memory' }),
  sqlite: (folder) => ({ product: 'sqlite', file: join(folder, 'sessions.sqlite') }),
  ...(redisUrl === undefined
    ? {}
    : { redis: () => ({ product: 'redis', url: redisUrl ?? '', prefix: `test-${randomUUID()}:` }) }),
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  let provider: FaultyProvider
  let serviceKey = ''
  let count = 0

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    provider = await startFaultyProvider()
    const post = (path: string, body: object) => gateway.request('POST', path, { body })
    const services = [{ regex: '/manage/(tokens|accounts|logon-checks)', methods: ['POST'] }]
    await post('/manage/roles', { name: 'service', authorities: services, gives: '*' })
    await post('/manage/roles', {
      name: 'reader',
      authorities: [{ regex: '/graphql', methods: ['GET', 'POST'] }],
    })
    const service = await post('/manage/accounts', { username: 'front', password, role: 'service' })
    serviceKey = (service.body as Record<string, string>).api_key ?? ''
  })
  afterAll(async () => {
    await gateway.close()
    await provider.close()
  })

  /** A web front before the gateway, and how somebody logs in there. */
  async function front(way: string, transparentTokens: boolean, store: string) {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    await writeFile(join(folder.path, 'tokens.mjs'), tokenModule)
    const [strategy = '', generator] = way.split(', generator ')
    const module = { path: join(folder.path, 'tokens.mjs'), settings: {} }
    const settings: ProviderSettings = {
      name: 'staff',
      label: 'Staff',
      transparentTokens,
      ...(generator === undefined
        ? {}
        : { generator: generator === 'module' ? { kind: generator, module } : { kind: 'gateway' } }),
      strategy:
        strategy === 'gateway'
          ? { kind: 'gateway' }
          : {
              kind: 'openid',
              oauth: {
                provider: 'staff',
                server: { kind: 'discovered', issuer: provider.issuer },
                clientId: faultyClient.id,
                clientSecret: faultyClient.secret,
                scopes: ['openid'],
                parameters: {},
              },
              mapping: { accountId: 'sub', displayName: 'name', avatar: 'picture', properties: [] },
              endsProviderSession: false,
            },
    }
    const target = parseTarget(gateway.url)
    if ('mistake' in target) throw new Error(target.mistake)
    const running = await startTestFront({
      gateway: {
        address: gateway.url,
        credentials: async () => ({ username: 'front', password, apiKey: serviceKey }),
        roleOfNewAccounts: 'reader',
      },
      session: { store: stores[store]?.(folder.path) ?? { product: 'memory' } },
      backend: {
        proxyPath: '/backend',
        tokenHeader: 'X-Xaas-Auth-Token',
        target,
        timeouts: { connect: 5000, response: 5000, idle: 5000 },
      },
      providers: [settings],
    })
    onTestFinished(() => running.close())
    count += 1
    const subject = `ada-${count}`
    const username = strategy === 'gateway' ? subject : `staff:${subject}`
    if (strategy === 'gateway') {
      await gateway.request('POST', '/manage/accounts', { body: { username, password, role: 'reader' } })
    }
    return {
      username,
      async logIn() {
        const browser = new TestBrowser(running.front.baseUrl)
        if (strategy === 'gateway') {
          const form = await browser.get('/auth/staff')
          const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
          const sent = await browser.request('/auth/staff', { form: { state, username, password } })
          return { browser, page: sent }
        }
        provider.fault = { claims: { sub: subject }, userinfo: { sub: subject } }
        const { location } = await browser.get('/auth/staff')
        const { url } = await browser.follow(location, (to) => to.includes('/callback'))
        return { browser, page: await browser.get(url) }
      },
    }
  }

  const accountStatus = async (username: string) =>
    (await gateway.request('GET', `/manage/accounts/${encodeURIComponent(username)}`)).status
  const change = (method: string, username: string, body?: object) =>
    gateway.request(method, `/manage/accounts/${encodeURIComponent(username)}`, body && { body })
  const gone = { status: 401, body: { code: 'LOGIN_REQUIRED', login: '/auth/staff' } }

  const calls: Readonly<Record<string, (browser: TestBrowser) => ReturnType<TestBrowser['get']>>> = {
    'GET /session': (browser) => browser.get('/session'),
    'GET /session?refresh=true': (browser) => browser.get('/session?refresh=true'),
    'GET /backend': (browser) => browser.get('/backend/graphql'),
    'POST /backend': (browser) =>
      browser.request('/backend/graphql', {
        method: 'POST',
        json: { query: '{__typename}' },
        headers: { 'x-requested-with': 'test' },
      }),
  }

  const cases = ways.flatMap((way) =>
    [true, false].flatMap((transparentTokens) =>
      Object.keys(stores).flatMap((store) =>
        ['deleted', 'disabled'].map((what) => ({ way, transparentTokens, store, what })),
      ),
    ),
  )

  test.each(partOf(cases, 2 * products.length, products.indexOf(product)))(
    'R8: $way, transparentTokens $transparentTokens: sessions in $store end when the account is $what',
    async ({ way, transparentTokens, store, what }) => {
      const { username, logIn } = await front(way, transparentTokens, store)
      const browsers = await Promise.all(Object.keys(calls).map(logIn))
      for (const { browser, page } of browsers) {
        expect(page.status).toBe(303)
        expect((await browser.get('/session')).status).toBe(200)
      }
      const { status } =
        what === 'deleted'
          ? await change('DELETE', username)
          : await change('PATCH', username, { disabled: true })
      expect(status).toBeLessThan(300)
      for (const [index, call] of Object.values(calls).entries()) {
        const browser = browsers[index]?.browser as TestBrowser
        expect(await call(browser)).toMatchObject(gone)
        expect(await browser.get('/session')).toMatchObject(gone)
      }
      expect(await accountStatus(username)).toBe(what === 'deleted' ? 404 : 200)
    },
  )

  const fronts = ways.flatMap((way) => Object.keys(stores).map((store) => ({ way, store })))

  test.each(partOf(fronts, 2 * products.length, products.indexOf(product) + 1))(
    'R8: an idle session of $way in $store gets nothing of an account that was made again under the name',
    async ({ way, store }) => {
      for (const transparentTokens of [true, false]) {
        const { username, logIn } = await front(way, transparentTokens, store)
        const browsers = await Promise.all(Object.keys(calls).map(logIn))
        for (const { page } of browsers) expect(page.status).toBe(303)
        expect((await change('DELETE', username)).status).toBe(204)
        const again = { username, password, role: 'reader' }
        expect((await gateway.request('POST', '/manage/accounts', { body: again })).status).toBe(201)
        for (const [index, call] of Object.values(calls).entries()) {
          const browser = browsers[index]?.browser as TestBrowser
          expect(await call(browser)).toMatchObject(gone)
          expect(await browser.get('/session')).toMatchObject(gone)
        }
        const { browser, page } = await logIn()
        expect([page.status, (await browser.get('/session')).status]).toEqual([303, 200])
      }
    },
  )

  test('R8: a token for an account by its id is for this account only', async () => {
    const account = { username: 'again', password, role: 'reader' }
    const made = async () => {
      await gateway.request('POST', '/manage/accounts', { body: account })
      const { body } = await gateway.request('POST', '/manage/tokens', { body: { account: 'again' } })
      const token = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
      const whoami = await gateway.request('GET', '/whoami', { token })
      return (whoami.body as { id: string }).id
    }
    const ask = (id: unknown) => gateway.request('POST', '/manage/tokens', { body: { account: 'again', id } })
    const first = await made()
    await change('PATCH', 'again', { password: 'another pass phrase' })
    expect((await ask(first)).status).toBe(201)
    await change('DELETE', 'again')
    const second = await made()
    expect(second).not.toBe(first)
    expect(await ask(first)).toMatchObject({
      status: 422,
      body: {
        errors: [
          {
            pointer: '/id',
            detail: 'The account "again" does not have this id: it was created again.',
          },
        ],
      },
    })
    expect((await ask(second)).status).toBe(201)
    await change('DELETE', 'again')
  })

  test('R8: a new log-in may make a deleted account again, and a disabled one stays out', async () => {
    const { username, logIn } = await front('openid, generator gateway', true, 'memory')
    const { browser } = await logIn()
    await change('DELETE', username)
    expect((await logIn()).page.status).toBe(303)
    expect(await accountStatus(username)).toBe(200)
    await change('PATCH', username, { disabled: true })
    const { page, browser: refused } = await logIn()
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('is disabled')])
    expect(await refused.get('/session')).toMatchObject(gone)
    expect(await browser.get('/session')).toMatchObject(gone)
    await change('PATCH', username, { disabled: false })
    expect((await logIn()).page.status).toBe(303)
  })

  test.each([
    ['was made again', 'DELETE', undefined],
    ['has another password', 'PATCH', { password: 'another pass phrase' }],
  ])('R8: a session of an account that %s ends', async (_what, method, document) => {
    const { username, logIn } = await front('gateway, generator gateway', true, 'memory')
    const { browser, page } = await logIn()
    expect([page.status, (await browser.get('/session?refresh=true')).status]).toEqual([303, 200])
    await change(method, username, document)
    if (document === undefined)
      await gateway.request('POST', '/manage/accounts', { body: { username, password, role: 'reader' } })
    expect(await browser.get('/session')).toMatchObject(gone)
  })

  test('R8: a token that was ended at the gateway ends no session that can have another', async () => {
    const { username, logIn } = await front('openid, generator gateway', true, 'memory')
    const { browser } = await logIn()
    await gateway.request('DELETE', `/manage/tokens?account=${encodeURIComponent(username)}`)
    expect((await browser.get('/session')).status).toBe(200)
    expect((await browser.get('/backend/graphql')).status).toBe(200)
  })
})
