/** Access tokens that are renewed at an OpenID provider that others wrote, and used at once. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import type { BackendSettings } from '../../src/web-front/backend/backend-settings.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import { freePort } from '../support/free-port.ts'
import { type OpenidProvider, startOpenidProvider } from '../support/openid-provider.ts'
import { redisUrl } from '../support/redis-server.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFrontSettings } from '../support/test-front.ts'
import { startEcho } from '../support/upstream-servers.ts'

let provider: OpenidProvider
/** The address of all nodes, as if a balancer were before them. */
let baseUrl: string

beforeAll(async () => {
  baseUrl = `http://localhost:${await freePort()}`
  provider = await startOpenidProvider(() => [`${baseUrl}/auth/staff/callback`])
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.slowMs = 0
  provider.accessTokenSeconds = 3600
})

const staff = (): ProviderSettings => ({
  name: 'staff',
  label: 'Staff',
  transparentTokens: true,
  generator: { kind: 'refresh_token' },
  strategy: {
    kind: 'openid',
    oauth: {
      provider: 'staff',
      server: { kind: 'discovered', issuer: provider.issuer },
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      scopes: ['openid', 'profile', 'offline_access'],
      parameters: {},
    },
    mapping: { accountId: 'sub', displayName: 'name', avatar: 'picture', properties: [] },
    endsProviderSession: false,
  },
})

function backendAt(url: string, tokenHeader: string): BackendSettings {
  const target = parseTarget(url)
  if ('mistake' in target) throw new Error(target.mistake)
  const timeouts = { connect: 30_000, response: 30_000, idle: 30_000 }
  return { proxyPath: '/backend', target, tokenHeader, timeouts }
}

async function startNode(backend: BackendSettings, more: TestFrontSettings = {}) {
  const node = await startTestFront({ baseUrl, providers: [staff()], backend, ...more })
  onTestFinished(() => node.close())
  return node
}

/** Logs in at one node, whatever the address that the provider sends browsers back to. */
async function logIn(url: string): Promise<TestBrowser> {
  const browser = new TestBrowser(url)
  const begun = await browser.get('/auth/staff')
  const atCallback = await browser.follow(begun.location, (at) => at.includes('/callback'))
  const done = await browser.get(atCallback.url.replace(baseUrl, url))
  expect([done.status, done.location]).toEqual([303, '/'])
  return browser
}

const grants = () => provider.events.filter((event) => event === 'refresh_token.consumed').length

test('J21 a refreshed token is good for the userinfo of its account', async () => {
  const node = await startNode(backendAt(provider.issuer, 'Authorization'))
  const browser = await logIn(node.url)
  const before = await browser.get('/backend/me')
  expect((await browser.get('/session?refresh=true')).status).toBe(200)
  const after = await browser.get('/backend/me')
  const name = 'Name of ada'
  expect([before, after].map(({ status, body }) => [status, body.sub, body.name])).toEqual([
    [200, 'ada', name],
    [200, 'ada', name],
  ])
  const [old, renewed] = provider.bearers.slice(-2)
  expect([typeof old, typeof renewed, old === renewed, grants()]).toEqual(['string', 'string', false, 1])
})

test('a token of a few seconds is used until it nears its end', async () => {
  const echo = await startEcho()
  const node = await startNode(backendAt(echo.url, 'X-Xaas-Auth-Token'))
  provider.accessTokenSeconds = 20
  const browser = await logIn(node.url)
  const before = grants()
  for (let call = 0; call < 5; call += 1) expect((await browser.get('/backend/x')).status).toBe(200)
  expect(grants() - before).toBe(0)
})

describe.runIf(redisUrl !== undefined)('J29 three nodes with one store', () => {
  test('50 calls with a token that has ended refresh it once, and use no refresh token twice', async () => {
    const echo = await startEcho()
    const store = { product: 'redis' as const, url: redisUrl ?? '', prefix: `test-${randomUUID()}:` }
    const backend = backendAt(echo.url, 'X-Xaas-Auth-Token')
    const start = () => startNode(backend, { session: { store } })
    const nodes = [await start(), await start(), await start()]
    const [first] = nodes
    if (first === undefined) throw new Error('There are three nodes.')
    provider.accessTokenSeconds = 1
    const loggedIn = await logIn(first.url)
    const end = Date.now() + 1000
    // Less than the longest margin: a new token is used all the same.
    provider.accessTokenSeconds = 25
    const browsers = nodes.map(({ url }) => {
      const browser = new TestBrowser(url)
      for (const [name, value] of loggedIn.cookies) browser.cookies.set(name, value)
      return browser
    })
    await expect.poll(() => Date.now() > end).toBe(true)
    const before = grants()
    const failed = () => provider.events.filter((event) => /error|revoked/.test(event))
    const failedBefore = failed()
    provider.slowMs = 3000
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => browsers[index % 3]?.get(`/backend/call-${index}`)),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect([grants() - before, failed()]).toEqual([1, failedBefore])
    const tokens = echo.received.map(
      ({ headers }) => headers.find(([name]) => /^x-xaas-auth/i.test(name))?.[1],
    )
    expect([tokens.length, new Set(tokens).size]).toEqual([50, 1])
    const later = await Promise.all(browsers.map((browser) => browser.get('/session?refresh=true')))
    expect([later.map(({ status }) => status), failed()]).toEqual([[200, 200, 200], failedBefore])
  })
})
