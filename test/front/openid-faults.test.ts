import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLogObserver } from '../../src/observe/log.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import {
  type Fault,
  type FaultyProvider,
  faultyClient,
  startFaultyProvider,
} from '../support/faulty-provider.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

let provider: FaultyProvider
let running: TestFront

const providerOf = (name: string): ProviderSettings => ({
  name,
  label: 'Faulty',
  transparentTokens: false,
  generator: { kind: 'refresh_token' },
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
    mapping: { accountId: 'sub', displayName: 'name', avatar: 'picture', properties: ['name'] },
    endsProviderSession: false,
  },
})

beforeAll(async () => {
  provider = await startFaultyProvider()
  running = await startTestFront({ providers: [providerOf('faulty')] })
})
afterAll(async () => {
  await running.close()
  await provider.close()
})
beforeEach(() => {
  provider.fault = {}
  provider.requests.length = 0
})

async function logIn(fault: Fault) {
  provider.fault = fault
  const browser = new TestBrowser(running.front.baseUrl)
  const { location } = await browser.get('/auth/faulty')
  const atCallback = await browser.follow(location, (url) => url.includes('/callback'))
  const page = await browser.get(atCallback.url)
  return { browser, page }
}

const text =
  (status: number, body: string, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
const now = () => Math.floor(Date.now() / 1000)

test('a provider that does as it should lets in', async () => {
  const { browser, page } = await logIn({})
  expect(page.status).toBe(303)
  expect((await browser.get('/session')).body.auth).toMatchObject({
    account_id: 'ada',
    displayName: 'Ada',
    properties: { name: 'Ada' },
  })
  const tokenRequest = provider.requests.find(({ path }) => path === '/token')
  expect(tokenRequest?.authorization).toMatch(/^Basic /)
  expect(tokenRequest?.body).toMatch(/code_verifier=[\w-]{43}/)
  expect(tokenRequest?.body).not.toContain('secret')
})

test('a key without a name is found when it is the only one', async () => {
  expect((await logIn({ header: { kid: undefined } })).page.status).toBe(303)
})

test('J8 a key without a name is not guessed among several', async () => {
  const { browser, page } = await logIn({ header: { kid: undefined }, severalKeys: true })
  expect(page.status).toBe(400)
  expect((await browser.get('/session')).status).toBe(401)
  expect((await logIn({ severalKeys: true })).page.status).toBe(303)
})

test('J19 a key that changes just before the token is signed is fetched, once', async () => {
  expect((await logIn({})).page.status).toBe(303)
  provider.requests.length = 0
  const { browser, page } = await logIn({ rotatesKeys: true })
  expect(page.status).toBe(303)
  provider.fault = { rotatesKeys: true, claims: { nonce: undefined } }
  const renewed = await browser.get('/session')
  expect([renewed.status, renewed.body.auth.account_id]).toEqual([200, 'ada'])
  const asked = provider.requests.map(({ path }) => path)
  expect(asked.filter((path) => path === '/token' || path === '/keys')).toEqual([
    ...['/token', '/keys'],
    ...['/token', '/keys'],
  ])
})

test.each<[string, object, number]>([
  ['J17 another issuer', { issuer: 'https://evil.example' }, 503],
  ['I19 no token endpoint', { token_endpoint: undefined }, 503],
  ['I19 no authorization endpoint', { authorization_endpoint: undefined }, 503],
  ['I19 no keys', { jwks_uri: undefined }, 503],
])('a provider that says of itself: %s, lets nobody in', async (_what, discovery, status) => {
  const { name, label, strategy } = providerOf('new')
  const fresh = await startTestFront({ providers: [{ name, label, strategy, transparentTokens: false }] })
  onTestFinished(() => fresh.close())
  provider.fault = { discovery }
  const browser = new TestBrowser(fresh.front.baseUrl)
  const begun = await browser.follow('/auth/new', (url) => url.includes('/callback'))
  const page = begun.url.includes('/callback') ? await browser.get(begun.url) : begun
  expect(page.status).toBe(status)
  expect(page.text).toContain('You are not logged in')
  expect((await browser.get('/session')).status).toBe(401)
})

test('J31 a token endpoint that is silent is not waited for', async () => {
  const { browser, page } = await logIn({ token: () => {} })
  expect(page.status).toBe(503)
  expect(page.text).toContain('Try again')
  expect((await browser.get('/session')).status).toBe(401)
})

describe('nobody is let in by', () => {
  test.each<[string, Fault, number]>([
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 400],
    ['no issuer', { claims: { iss: undefined } }, 400],
    ['another audience', { claims: { aud: 'another' } }, 400],
    ['no audience', { claims: { aud: undefined } }, 400],
    ['several audiences and another party', { claims: { aud: ['client', 'other'], azp: 'other' } }, 400],
    ['no subject', { claims: { sub: undefined } }, 400],
    ['no time of issue', { claims: { iat: undefined } }, 400],
    ['no end', { claims: { exp: undefined } }, 400],
    ['a token that has ended', { claims: { exp: now() - 300 } }, 400],
    ['a token of tomorrow', { claims: { nbf: now() + 86_400 } }, 400],
    ['another nonce', { claims: { nonce: 'x' } }, 400],
    ['no nonce', { claims: { nonce: undefined } }, 400],
    ['no signature', { signature: 'none' }, 400],
    ['a broken signature', { signature: 'broken' }, 400],
    ['an unknown key', { signature: 'unknown key' }, 400],
    ['the client’s secret for a key', { signature: 'client secret' }, 400],
    ['a key of another name', { header: { kid: 'other' } }, 400],
    ['no ID token', { noIdToken: true }, 400],
    ['a userinfo about somebody else', { userinfo: { sub: 'eve' } }, 400],
    ['an answer of another provider', { answer: { iss: 'https://evil.example' } }, 400],
    ['an answer with an error', { answer: { error: 'access_denied', error_description: '<script>' } }, 403],
    ['an answer that the provider failed', { answer: { error: 'server_error' } }, 503],
    ['no keys', { keys: text(200, '{"keys":[]}') }, 400],
    ['keys that cannot be had', { keys: text(500, '') }, 503],
    ['keys of 2 MB', { keys: text(200, JSON.stringify({ keys: [], x: 'x'.repeat(2_000_000) })) }, 503],
    ['a token endpoint that fails', { token: text(500, '{}') }, 503],
    ['a token endpoint that knows no such code', { token: text(400, '{"error":"invalid_grant"}') }, 400],
    ['a token endpoint that knows no such client', { token: text(401, '{"error":"invalid_client"}') }, 503],
    ['HTML for a token', { token: text(200, '<html>', { 'content-type': 'text/html' }) }, 400],
    ['a token endpoint that breaks off', { token: (response) => response.destroy() }, 503],
  ])('%s', async (_what, fault, status) => {
    const { browser, page } = await logIn(fault)
    expect(page.status).toBe(status)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('You are not logged in')
    expect(page.text).not.toMatch(/<script|secret|access|127\.0\.0\.1/)
    provider.fault = {}
    expect((await browser.get('/session')).status).toBe(401)
  })

  test('a token endpoint that leads elsewhere: the secret does not follow', async () => {
    const { page } = await logIn({ token: text(307, '', { location: `${provider.issuer}/elsewhere` }) })
    expect(page.status).toBe(400)
    expect(provider.requests.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  test('a key in the token, or one that it points to', async () => {
    const jku = `${provider.issuer}/evil-keys`
    for (const header of [{ jku }, { jwk: { kty: 'oct', k: 'AAAA' } }]) {
      const { page } = await logIn({ header: { ...header, kid: undefined }, signature: 'unknown key' })
      expect(page.status).toBe(400)
    }
    expect(provider.requests.map(({ path }) => path)).not.toContain('/evil-keys')
  })
})

test.each<[string, Fault]>([
  ['issuer', { claims: { iss: 'https://evil.example', nonce: undefined } }],
  ['subject', { claims: { sub: 'eve', nonce: undefined } }],
  ['signature', { signature: 'broken', claims: { nonce: undefined } }],
])('a renewed token with a wrong %s ends the session', async (_what, fault) => {
  const { browser } = await logIn({})
  provider.fault = { claims: { nonce: undefined } }
  expect((await browser.get('/session')).status).toBe(200)
  provider.fault = fault
  expect((await browser.get('/session')).status).toBe(401)
  provider.fault = { claims: { nonce: undefined } }
  expect((await browser.get('/session')).status).toBe(401)
})

describe('a logout token of the provider', () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = () => ({
    iss: provider.issuer,
    aud: faultyClient.id,
    iat: now(),
    exp: now() + 120,
    jti: 'j',
    events,
    sid: 's-1',
  })
  const end = async (token: string) => {
    const browser = new TestBrowser(running.front.baseUrl)
    return browser.request('/auth/faulty/backchannel-logout', { form: { logout_token: token } })
  }
  const isLoggedIn = async (browser: TestBrowser) => {
    provider.fault = { claims: { nonce: undefined } }
    return (await browser.get('/session')).status === 200
  }

  test.each([
    ['session', {}],
    ['account', { sid: undefined, sub: 'ada' }],
  ])('ends the sessions of its %s, on every browser', async (_what, more) => {
    const { browser } = await logIn({})
    const other = (await logIn({ claims: { sub: 'bob', sid: 's-2' }, userinfo: { sub: 'bob' } })).browser
    const token = await provider.sign(JSON.parse(JSON.stringify({ ...claims(), ...more })))
    const answer = await end(token)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await isLoggedIn(browser)).toBe(false)
    provider.fault = { claims: { sub: 'bob', nonce: undefined } }
    expect((await other.get('/session')).status).toBe(200)
  })

  test.each<[string, Readonly<Record<string, unknown>>, Fault]>([
    ['no signature', {}, { signature: 'none' }],
    ['a broken signature', {}, { signature: 'broken' }],
    ['the client’s secret for a key', {}, { signature: 'client secret' }],
    ['no event', { events: undefined }, {}],
    ['another event', { events: { 'https://example.org/event': {} } }, {}],
    ['a nonce', { nonce: 'n' }, {}],
    ['another audience', { aud: 'another' }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['no session and no account', { sid: undefined }, {}],
    ['a time long ago', { iat: now() - 86_400, exp: now() + 60 }, {}],
    ['an end in the past', { exp: now() - 120 }, {}],
  ])('that has %s ends nothing', async (_what, more, fault) => {
    const { browser } = await logIn({})
    const answer = await end(await provider.sign(JSON.parse(JSON.stringify({ ...claims(), ...more })), fault))
    expect([answer.status, answer.body.code]).toEqual([400, 'LOGOUT_TOKEN_REFUSED'])
    expect(await isLoggedIn(browser)).toBe(true)
  })

  test('is read with the key that the provider has now', async () => {
    const first = await logIn({})
    await end(await provider.sign(claims()))
    expect(await isLoggedIn(first.browser)).toBe(false)
    const { browser } = await logIn({})
    await provider.rotateKeys()
    const answer = await end(await provider.sign(claims()))
    expect([answer.status, await isLoggedIn(browser)]).toEqual([200, false])
  })

  test.each(['', 'x', 'a.b.c'])('is not “%s”', async (token) => {
    expect((await end(token)).status).toBe(400)
  })
})

test('what happened is logged, without tokens, codes and secrets', async () => {
  for (const fault of [
    {},
    { signature: 'broken' },
    { token: text(400, '{"error":"invalid_grant"}') },
  ] as const) {
    await logIn(fault)
  }
  const lines: string[] = []
  const observe = createLogObserver({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  for (const event of running.events) observe(event)
  const log = lines.join('')
  expect(log).toContain('"kind":"LoginFailed","provider":"faulty","code":"LOGIN_FAILED"')
  expect(log).toContain('"kind":"LoginSucceeded"')
  expect(log).not.toMatch(/eyJ|code-\d|"access-|"refresh"|code_verifier|state=|Basic /)
  expect(log).not.toContain(faultyClient.secret)
})
