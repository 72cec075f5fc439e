import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { GatewayCredentials } from '../../src/web-front/gateway/gateway-client.ts'
import type { GatewaySettings } from '../../src/web-front/login/build-providers.ts'
import { type FaultyProvider, faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { products } from '../support/products.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway
let provider: FaultyProvider
let serviceKey = ''
const [product] = products
const password = 'a long pass phrase'

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
  provider = await startFaultyProvider()
  const post = (path: string, body: object) => gateway.request('POST', path, { body })
  const services = [{ regex: '/manage/(tokens|accounts)', methods: ['POST'] }]
  await post('/manage/roles', { name: 'reader', authorities: [{ regex: '/graphql', methods: ['GET'] }] })
  await post('/manage/roles', { name: 'service', authorities: services, gives: ['reader'] })
  const service = await post('/manage/accounts', { username: 'front', password, role: 'service' })
  serviceKey = (service.body as Record<string, string>).api_key ?? ''
})
afterAll(async () => {
  await gateway.close()
  await provider.close()
})
beforeEach(() => {
  provider.fault = {}
})

async function front(
  more: Partial<GatewaySettings> = {},
  names: readonly string[] = ['one'],
  username?: string,
) {
  const running = await startTestFront({
    gateway: {
      address: gateway.url,
      credentials: async () => ({ username: 'front', password, apiKey: serviceKey }),
      ...more,
    },
    providers: names.map((name) => ({
      name,
      label: name,
      transparentTokens: false,
      generator: { kind: 'gateway' },
      strategy: {
        kind: 'openid',
        oauth: {
          provider: name,
          server: { kind: 'discovered', issuer: provider.issuer },
          clientId: faultyClient.id,
          clientSecret: faultyClient.secret,
          scopes: ['openid'],
          parameters: {},
        },
        mapping: {
          accountId: 'sub',
          displayName: 'name',
          avatar: 'picture',
          properties: [],
          ...(username === undefined ? {} : { username }),
        },
        endsProviderSession: false,
      },
    })),
  })
  onTestFinished(() => running.close())
  return async (subject: string, name = 'one', claims: Readonly<Record<string, unknown>> = {}) => {
    provider.fault = { claims: { sub: subject }, userinfo: { sub: subject, ...claims } }
    const browser = new TestBrowser(running.front.baseUrl)
    const { location } = await browser.get(`/auth/${name}`)
    const atCallback = await browser.follow(location, (url) => url.includes('/callback'))
    return { browser, page: await browser.get(atCallback.url) }
  }
}

const usernames = async () =>
  ((await gateway.request('GET', '/manage/accounts')).body as { username: string }[]).map(
    ({ username }) => username,
  )

test('somebody without an account at the gateway is not let in', async () => {
  const logIn = await front()
  const { browser, page } = await logIn('ada')
  expect(page.status).toBe(403)
  expect(page.text).toContain('You have no account at the gateway')
  expect((await browser.get('/session')).status).toBe(401)
})

test('an account is made at the first log-in, with the configured role, once', async () => {
  const logIn = await front({ roleOfNewAccounts: 'reader' })
  const pages = await Promise.all([logIn('bob'), logIn('bob'), logIn('bob')])
  expect(pages.map(({ page }) => page.status)).toEqual([303, 303, 303])
  expect((await usernames()).filter((name) => name.includes('bob'))).toEqual(['one:bob'])
  const { auth } = (await pages[0]?.browser.get('/session'))?.body ?? {}
  expect(auth).toEqual({
    account_id: 'bob',
    account_role: 'reader',
    displayName: 'Ada',
    strategy: 'openid',
    provider: 'one',
    properties: {},
    expires: null,
    metadata: {},
    accessToken: expect.stringMatching(/^ght_/),
    credentialExpires: expect.stringMatching(/^\d{4}-/),
  })
  const whoami = await gateway.request('GET', '/whoami', { token: auth.accessToken })
  expect(whoami.body).toMatchObject({ username: 'one:bob', role: { name: 'reader' } })
})

test('an account that was made before is linked by its name, with its end and metadata', async () => {
  const account = { username: 'one:eve', password, role: 'reader', expire_days: 3, metadata: { desk: 7 } }
  await gateway.request('POST', '/manage/accounts', { body: account })
  const logIn = await front()
  const { browser } = await logIn('eve')
  const { auth } = (await browser.get('/session')).body
  expect([auth.metadata, auth.account_role, Date.parse(auth.expires) > Date.now()]).toEqual([
    { desk: 7 },
    'reader',
    true,
  ])
})

test('the same account at two providers is two accounts at the gateway', async () => {
  const logIn = await front({ roleOfNewAccounts: 'reader' }, ['one', 'two'])
  await logIn('carol', 'one', { email: 'carol@example.org' })
  await logIn('carol', 'two', { email: 'carol@example.org' })
  expect((await usernames()).filter((name) => name.includes('carol'))).toEqual(['one:carol', 'two:carol'])
})

test('a claim can say which account it is', async () => {
  await gateway.request('POST', '/manage/accounts', { body: { username: 'dora', password, role: 'reader' } })
  const logIn = await front({}, ['one'], 'preferred_username')
  const { browser } = await logIn('x-1', 'one', { preferred_username: 'dora' })
  const { accessToken } = (await browser.get('/session')).body.auth
  expect((await gateway.request('GET', '/whoami', { token: accessToken })).body).toMatchObject({
    username: 'dora',
  })
})

test.each([
  ['a wrong account of its own', async () => ({ username: 'front', password: 'wrong', apiKey: 'x' })],
  ['a role that does not let it', readerCredentials],
])('with %s the front lets nobody in and says no more', async (_what, credentials) => {
  const logIn = await front({ credentials })
  const { page } = await logIn('ada')
  expect(page.status).toBe(503)
  expect(page.text).not.toMatch(/manage|front|wrong/)
})

test('the front logs on again when its own token has ended', async () => {
  const logIn = await front({ roleOfNewAccounts: 'reader' })
  const { browser } = await logIn('frank')
  await gateway.request('DELETE', '/manage/tokens?account=front')
  expect((await browser.get('/session')).status).toBe(200)
})

async function readerCredentials(): Promise<GatewayCredentials> {
  const made = await gateway.request('POST', '/manage/accounts', {
    body: { username: 'weak', password, role: 'reader' },
  })
  const apiKey = (made.body as Record<string, string>).api_key ?? ''
  return { username: 'weak', password, apiKey }
}
