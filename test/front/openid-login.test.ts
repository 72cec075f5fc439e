import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import { type OpenidProvider, startOpenidProvider } from '../support/openid-provider.ts'
import { redisUrl } from '../support/redis-server.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront, type TestFrontSettings } from '../support/test-front.ts'

let provider: OpenidProvider
const fronts: TestFront[] = []
/** Below those that systems give out by themselves; one that is in use all the same is left out. */
const firstPort = 20_000 + Math.floor(Math.random() * 10_000)
const ports = Array.from({ length: 60 }, (_, index) => firstPort + index)
let tried = 0

beforeAll(async () => {
  const names = ['keycloak', 'other']
  provider = await startOpenidProvider(() =>
    ports.flatMap((port) => names.map((name) => `http://localhost:${port}/auth/${name}/callback`)),
  )
})
afterAll(async () => {
  for (const front of fronts) await front.close()
  await provider.close()
})

const settingsOf = (more: Partial<ProviderSettings> = {}, strategy: object = {}): ProviderSettings => ({
  name: 'keycloak',
  label: 'Staff',
  transparentTokens: false,
  strategy: {
    kind: 'openid',
    oauth: {
      provider: 'keycloak',
      server: { kind: 'discovered', issuer: provider.issuer },
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      parameters: {},
    },
    mapping: {
      accountId: 'sub',
      displayName: 'name',
      avatar: 'picture',
      properties: ['email', 'department'],
    },
    endsProviderSession: false,
    ...strategy,
  },
  ...more,
})

/** A web front on a port whose callback the provider knows. */
async function front(
  providers: readonly ProviderSettings[],
  more: TestFrontSettings = {},
): Promise<TestFront> {
  const running = await startOnFreePort({ providers, ...more })
  fronts.push(running)
  return running
}

async function startOnFreePort(settings: TestFrontSettings): Promise<TestFront> {
  const port = ports[tried++]
  if (port === undefined) throw new Error('No port is free.')
  try {
    return await startTestFront({ ...settings, port })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return startOnFreePort(settings)
    throw error
  }
}

async function logIn(running: TestFront, path = '/auth/keycloak') {
  const browser = new TestBrowser(running.front.baseUrl)
  const page = await browser.follow(path, (url) => new URL(url).pathname === '/here')
  return { browser, page }
}

describe('a log-in', () => {
  let running: TestFront
  beforeAll(async () => {
    running = await front([settingsOf()])
  })

  test('ends where it was begun, with what the provider tells', async () => {
    const { browser, page } = await logIn(running, '/auth/keycloak?returnTo=/here%3Fa%3Db%23top')
    expect([page.status, page.location]).toEqual([303, '/here?a=b#top'])
    const { status, body, text } = await browser.get('/session')
    expect([status, body.auth]).toEqual([
      200,
      {
        account_id: 'ada',
        displayName: 'Name of ada',
        avatar: 'https://images.example.org/ada.png',
        strategy: 'openid',
        provider: 'keycloak',
        properties: { email: 'ada@example.org', department: 'ports' },
      },
    ])
    expect(text).not.toMatch(/token|eyJ/i)
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('gatehouse'))).toEqual(['gatehouse'])
  })

  test('asks the provider for a code with PKCE, state and nonce', async () => {
    const browser = new TestBrowser(running.front.baseUrl)
    const { location, headers } = await browser.get('/auth/keycloak')
    const parameters = Object.fromEntries(new URL(location).searchParams)
    expect(parameters).toEqual({
      client_id: 'gatehouse',
      response_type: 'code',
      redirect_uri: `${running.front.baseUrl}/auth/keycloak/callback`,
      scope: 'openid profile email offline_access',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(headers.get('set-cookie')).toMatch(
      /^gatehouse-login-[\w-]{12}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
  })

  test('tells the provider who probably logs in', async () => {
    const browser = new TestBrowser(running.front.baseUrl)
    const hinted = async (query: string) =>
      new URL((await browser.get(`/auth/keycloak${query}`)).location).searchParams.get('login_hint')
    expect(await hinted('?login_hint=ada%40example.org')).toBe('ada@example.org')
    expect([await hinted(''), await hinted(`?login_hint=${'a'.repeat(400)}`)]).toEqual([null, null])
    expect(await hinted('?login_hint=a&login_hint=b')).toBe(null)
  })

  test('works in two tabs at once', async () => {
    const browser = new TestBrowser(running.front.baseUrl)
    const tabs = [
      await browser.get('/auth/keycloak?returnTo=/one'),
      await browser.get('/auth/keycloak?returnTo=/two'),
    ]
    const ends = []
    for (const { location } of tabs) {
      const atCallback = await browser.follow(location, (url) => url.includes('/callback'))
      ends.push((await browser.get(atCallback.url)).location)
    }
    expect(ends).toEqual(['/one', '/two'])
  })

  test('cannot be finished in another browser, twice, or with another state', async () => {
    const browser = new TestBrowser(running.front.baseUrl)
    const atCallback = await browser.follow('/auth/keycloak', (url) => url.includes('/callback'))
    const other = new TestBrowser(running.front.baseUrl)
    const stolen = await other.get(atCallback.url)
    expect([stolen.status, (await other.get('/session')).status]).toEqual([400, 401])
    expect(stolen.text).toContain('This login was not started in this browser')
    const forged = await browser.get(atCallback.url.replace(/state=[^&]+/, 'state=x'))
    expect(forged.status).toBe(400)
    expect((await browser.get(atCallback.url)).status).toBe(303)
    const { id } = (await browser.get('/session')).body
    expect((await browser.get(atCallback.url)).status).toBe(400)
    expect((await browser.get('/session')).body.id).toBe(id)
  })

  test('that the provider refuses is explained on a page, as text', async () => {
    provider.account = ''
    const { browser, page } = await logIn(running)
    provider.account = 'ada'
    expect(page.status).toBe(403)
    expect(page.text).toContain('The login provider did not let you in, or you cancelled the login.')
    expect(page.text).toContain('<a class="button" href="/auth/keycloak">Try again</a>')
    expect(page.text).not.toContain('<script')
    expect((await browser.get('/session')).status).toBe(401)
  })

  test('works after the provider has changed its keys, at once', async () => {
    await logIn(running)
    await provider.rotateKeys()
    const { browser } = await logIn(running)
    expect((await browser.get('/session')).status).toBe(200)
  })

  test('waits for a provider that is away, and says so', async () => {
    const late = await front([settingsOf()])
    provider.away = 503
    const { page } = await logIn(late)
    provider.away = undefined
    expect(page.status).toBe(503)
    expect(page.text).toContain('cannot be reached')
    const { browser } = await logIn(late)
    expect((await browser.get('/session')).status).toBe(200)
  })
})

test('several providers can be chosen from, and their accounts are never the same', async () => {
  const other = settingsOf({ name: 'other', label: 'Guests <b>' })
  const second = {
    ...other,
    strategy: {
      ...other.strategy,
      oauth: { ...('oauth' in other.strategy ? other.strategy.oauth : {}), provider: 'other' },
    },
  } as ProviderSettings
  const store =
    redisUrl === undefined
      ? undefined
      : { product: 'redis' as const, url: redisUrl, prefix: `test-${randomUUID()}:` }
  const running = await front([settingsOf(), second], store === undefined ? {} : { session: { store } })
  const browser = new TestBrowser(running.front.baseUrl)
  expect((await browser.get('/session')).body.login).toBe('/auth')
  const chooser = await browser.get('/auth?returnTo=/x')
  expect(chooser.text).toContain('<a class="button" href="/auth/keycloak?returnTo=%2Fx">Staff</a>')
  expect(chooser.text).toContain('<a class="button" href="/auth/other?returnTo=%2Fx">Guests &#60;b&#62;</a>')

  // An answer of one provider is nothing for the callback of another.
  const atCallback = await browser.follow('/auth/keycloak', (url) => url.includes('/callback'))
  const mixed = await browser.get(atCallback.url.replace('/auth/keycloak/', '/auth/other/'))
  expect(mixed.status).toBe(400)

  if (store === undefined) return
  const [one, two, guest] = [
    (await logIn(running)).browser,
    (await logIn(running)).browser,
    (await logIn(running, '/auth/other')).browser,
  ]
  const session = async (from: TestBrowser) => (await from.get('/session?entirety=true')).body
  const ids = [(await session(one)).id, (await session(two)).id].sort()
  expect((await session(one)).sessions).toEqual(ids)
  expect((await session(guest)).sessions).toEqual([(await session(guest)).id])
  expect((await one.get('/session')).body.sessions).toBe(undefined)
  await two.request('/logout', { method: 'POST' })
  expect((await session(one)).sessions).toEqual([(await session(one)).id])
})

test('sessions are listed only by a store that knows them all', async () => {
  const running = await front([settingsOf()])
  const { browser } = await logIn(running)
  const { status, body } = await browser.get('/session?entirety=true')
  expect([status, 'sessions' in body]).toEqual([200, false])
})

describe('tokens of the provider', () => {
  test('are renewed by the refresh token, which never leaves the front', async () => {
    const running = await front([settingsOf({ generator: { kind: 'refresh_token' } })])
    const { browser } = await logIn(running)
    const answers = [await browser.get('/session'), await browser.get('/session')]
    const tokens = answers.map(({ body }) => body.auth.accessToken)
    expect(new Set(tokens).size).toBe(2)
    for (const { body, text } of answers) {
      expect(Date.parse(body.auth.credentialExpires) - Date.now()).toBeGreaterThan(3_000_000)
      expect(text).not.toMatch(/refresh|idToken|id_token/i)
    }
  })

  test('are renewed once for many calls at the same time, on several nodes', async () => {
    if (redisUrl === undefined) return
    const store = { product: 'redis' as const, url: redisUrl, prefix: `test-${randomUUID()}:` }
    const shared = settingsOf({ generator: { kind: 'refresh_token' }, transparentTokens: true })
    const nodes = [
      await front([shared], { session: { store } }),
      await front([shared], { session: { store } }),
    ]
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('There are two nodes.')
    const { browser } = await logIn(first)
    const other = new TestBrowser(second.front.baseUrl)
    other.cookies.set('gatehouse', browser.cookies.get('gatehouse') ?? '')
    const grants = () => provider.requests.get('/token') ?? 0
    const before = grants()
    provider.slowMs = 1000
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? browser : other).get('/session?refresh=true'),
      ),
    )
    provider.slowMs = 0
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(grants() - before).toBe(1)
    expect(answers.some(({ text }) => /accessToken|credentialExpires/.test(text))).toBe(false)
  })

  test('that the provider renews no longer end the session; one that is away does not', async () => {
    const running = await front([settingsOf({ generator: { kind: 'refresh_token' } })])
    const { browser } = await logIn(running)
    const { accessToken } = (await browser.get('/session')).body.auth
    provider.away = 502
    const during = await browser.get('/session')
    expect([during.status, during.body.auth.accessToken]).toEqual([200, accessToken])
    provider.away = undefined
    expect((await browser.get('/session')).status).toBe(200)
    provider.forgetRefreshTokens()
    const after = [await browser.get('/session'), await browser.get('/session')]
    expect(after.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'LOGIN_REQUIRED'],
      [401, 'LOGIN_REQUIRED'],
    ])
  })

  test('of the front itself come by client credentials', async () => {
    const running = await front([settingsOf({ generator: { kind: 'client_credentials', scopes: ['api'] } })])
    const { browser } = await logIn(running)
    const answers = [await browser.get('/session'), await browser.get('/session')]
    expect(new Set(answers.map(({ body }) => body.auth.accessToken)).size).toBe(2)
  })
})

describe('a log-out', () => {
  test('leaves the session at the provider alone', async () => {
    const running = await front([settingsOf()])
    const { browser } = await logIn(running)
    const answer = await browser.get('/logout')
    expect([answer.status, answer.location]).toEqual([303, '/'])
    expect((await browser.get('/session')).status).toBe(401)
    expect(provider.requests.get('/session/end')).toBe(undefined)
  })

  test('revokes nothing at the provider, unless that is configured', async () => {
    const revocations = () => provider.requests.get('/token/revocation') ?? 0
    const before = revocations()
    const usual = await logIn(await front([settingsOf()]))
    await usual.browser.request('/logout', { method: 'POST' })
    expect(revocations()).toBe(before)
    const revoking = await logIn(await front([settingsOf()], { session: { revoke: true } }))
    await revoking.browser.request('/logout', { method: 'POST' })
    expect(revocations()).toBe(before + 1)
  })

  test('goes on to the provider where that is configured', async () => {
    const running = await front([settingsOf({}, { endsProviderSession: true })])
    const { browser } = await logIn(running)
    const answer = await browser.get('/logout')
    const url = new URL(answer.location)
    expect(url.searchParams.has('id_token_hint')).toBe(false)
    expect(url.searchParams.get('client_id')).toBe('gatehouse')
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${running.front.baseUrl}/`)
    expect((await browser.get(answer.location)).status).toBe(200)
    expect((await browser.get('/session')).status).toBe(401)
  })
})
