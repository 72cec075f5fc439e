import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultyProvider, faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

let provider: FaultyProvider
let running: TestFront

beforeAll(async () => {
  provider = await startFaultyProvider()
  const { issuer } = provider
  running = await startTestFront({
    providers: [
      {
        name: 'hub',
        label: 'Hub',
        transparentTokens: false,
        strategy: {
          kind: 'oauth2',
          oauth: {
            provider: 'hub',
            server: {
              kind: 'given',
              issuer,
              authorizationEndpoint: `${issuer}/authorize`,
              tokenEndpoint: `${issuer}/token`,
              userinfoEndpoint: `${issuer}/userinfo`,
            },
            clientId: faultyClient.id,
            clientSecret: faultyClient.secret,
            clientAuthentication: 'post',
            scopes: ['read:user'],
            parameters: { allow_signup: 'false' },
          },
          mapping: {
            accountId: 'id',
            accountRole: 'org.roles',
            displayName: 'login',
            avatar: 'avatar_url',
            properties: ['login', 'missing'],
          },
          endsProviderSession: false,
        },
      },
    ],
  })
})
afterAll(async () => {
  await running.close()
  await provider.close()
})

async function logIn(userinfo: Readonly<Record<string, unknown>>) {
  provider.fault = { noIdToken: true, userinfo }
  const browser = new TestBrowser(running.front.baseUrl)
  const { location } = await browser.get('/auth/hub')
  const atCallback = await browser.follow(location, (url) => url.includes('/callback'))
  return { browser, location, page: await browser.get(atCallback.url) }
}

test('who somebody is, an API of the provider tells', async () => {
  const org = { roles: ['reader', 'other'] }
  const userinfo = { id: 4711, login: 'ada', avatar_url: 'https://images.example.org/a.png', org }
  const { browser, location, page } = await logIn(userinfo)
  expect([page.status, page.location]).toEqual([303, '/'])
  expect((await browser.get('/session')).body.auth).toEqual({
    account_id: '4711',
    account_role: 'reader',
    displayName: 'ada',
    avatar: 'https://images.example.org/a.png',
    strategy: 'oauth2',
    provider: 'hub',
    properties: { login: 'ada' },
  })
  const asked = new URL(location).searchParams
  expect([asked.get('scope'), asked.get('allow_signup'), asked.get('code_challenge_method')]).toEqual([
    'read:user',
    'false',
    'S256',
  ])
  expect(asked.has('nonce')).toBe(false)
  const tokenRequest = provider.requests.findLast(({ path }) => path === '/token')
  expect(tokenRequest?.body).toContain('client_secret=')
})

test.each([
  ['no account', {}],
  ['an account that is none', { id: { nested: true } }],
  ['an empty account', { id: '' }],
])('%s lets nobody in', async (_what, userinfo) => {
  const { browser, page } = await logIn(userinfo)
  expect(page.status).toBe(403)
  expect(page.text).toContain('does not say which account is yours. The claim “id” is missing.')
  expect((await browser.get('/session')).status).toBe(401)
})

test('an avatar that is no address of an image is not shown', async () => {
  const { browser } = await logIn({ id: 1, avatar_url: 'javascript:alert(1)' })
  expect((await browser.get('/session')).body.auth.avatar).toBe(undefined)
})
