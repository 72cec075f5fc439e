import { afterEach, describe, expect, test } from 'vitest'
import { readLogin } from '../../src/bin/login-settings.ts'
import type { LoginConfig } from '../../src/config/login-options.ts'
import { loginEntries } from '../../src/config/login-options.ts'
import { frontWith } from '../support/faulty-login.ts'
import { faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { freePort } from '../support/free-port.ts'
import { type OpenidProvider, type OpenidTraits, startOpenidProvider } from '../support/openid-provider.ts'
import { TestBrowser } from '../support/test-browser.ts'

/** One way to log in, as a configuration file says it. */
function configured(entry: object): LoginConfig {
  const reading = loginEntries.readParts?.(JSON.stringify(entry), () => '')
  if (reading === undefined || 'mistakes' in reading) throw new Error(JSON.stringify(reading))
  const [login] = reading.value
  if (login === undefined) throw new Error('There is one entry.')
  return login
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Attempt {
  readonly provider: OpenidProvider
  readonly asked: URLSearchParams
  readonly status: number
  readonly auth: Readonly<Record<string, unknown>>
}

/** Logs in with a preset, at a provider that behaves like the real one. */
async function logIn(traits: OpenidTraits, entry: { readonly config: object }): Promise<Attempt> {
  const port = await freePort()
  const callback = `http://localhost:${port}/auth/known/callback`
  const provider = await startOpenidProvider(() => [callback], traits)
  closing.push(() => provider.close())
  const { clientId, clientSecret, issuer } = provider
  const { settings, mistakes } = readLogin(
    configured({
      name: 'known',
      strategy: 'openid',
      ...entry,
      config: { clientId, clientSecret, issuer, ...entry.config },
    }),
    undefined,
  )
  expect(mistakes).toEqual([])
  const front = await frontWith(settings, { port })
  const browser = new TestBrowser(front.front.baseUrl)
  const begun = await browser.get('/auth/known')
  const page = await browser.follow(begun.location, (url) => new URL(url).pathname === '/')
  const { auth } = (await browser.get('/session')).body
  return { provider, asked: new URL(begun.location).searchParams, status: page.status, auth }
}

test('google: everything is in the ID token, and it knows no scope offline_access', async () => {
  const { asked, status, auth } = await logIn(
    {
      authenticationMethods: ['client_secret_post', 'client_secret_basic'],
      claims: { openid: ['sub', 'hd'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
      person: { hd: 'example.org' },
      scopes: ['openid', 'email', 'profile'],
      secret: 'GOCSPX-a_b-c',
    },
    {
      config: { preset: 'google' },
      allow: { hd: ['example.org'] },
      generator: 'refresh_token',
    } as { config: object },
  )
  expect(status).toBe(303)
  expect([asked.get('scope'), asked.get('access_type'), asked.get('prompt')]).toEqual([
    'openid profile email',
    'offline',
    'consent',
  ])
  expect(auth).toMatchObject({
    account_id: 'ada',
    displayName: 'Name of ada',
    avatar: 'https://images.example.org/ada.png',
    properties: { email: 'ada@example.org', email_verified: true, hd: 'example.org' },
  })
})

test('entra: its address is not verified, the secret has “~”, and groups come as ids', async () => {
  const groups = ['3f0c0a4e-0000-4000-8000-1f4e5a6b7c8d']
  const traits: OpenidTraits = {
    path: '/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
    authenticationMethods: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    claims: {
      openid: ['sub', 'oid', 'tid', 'groups'],
      profile: ['name', 'preferred_username'],
      email: ['email'],
    },
    person: { oid: 'o-1', tid: 't-1', preferred_username: 'ada@example.org', groups },
    secret: 'abc8Q~d.e_f-g~h',
  }
  const { asked, status, auth } = await logIn(traits, {
    config: { preset: 'entra' },
    allow: { groups },
    generator: 'refresh_token',
  } as { config: object })
  expect([status, asked.get('scope')]).toEqual([303, 'openid profile email offline_access'])
  expect(auth.properties).toEqual({
    name: 'Name of ada',
    preferred_username: 'ada@example.org',
    email: 'ada@example.org',
    oid: 'o-1',
    tid: 't-1',
  })
  const byDomain = await logIn(traits, {
    config: { preset: 'entra' },
    allow: { email: '@example.org' },
  } as { config: object })
  expect(byDomain.status).toBe(403)
})

test('entra: the issuer comes from the tenant', () => {
  const tenant = '8EAEF023-2b34-4da1-9baa-8bc8c9d6a490'
  const config = { preset: 'entra', clientId: 'x', tenant }
  const { settings, mistakes } = readLogin(configured({ strategy: 'openid', config }), undefined)
  expect(mistakes).toEqual([])
  expect(settings.strategy).toMatchObject({
    oauth: {
      server: {
        kind: 'discovered',
        issuer: 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
      },
    },
  })
})

test('keycloak: roles are in an object, and a realm is a path', async () => {
  const { provider, status, auth } = await logIn(
    {
      path: '/realms/staff',
      authenticationMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      claims: {
        openid: ['sub', 'realm_access'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
      },
      person: { realm_access: { roles: ['default-roles-staff', 'port-admin'] }, preferred_username: 'ada' },
    },
    {
      config: { preset: 'keycloak' },
      allow: { 'realm_access.roles': 'port-admin' },
      account: { account_role: 'realm_access.roles' },
    } as { config: object },
  )
  expect(provider.issuer).toMatch(/\/realms\/staff$/)
  expect([status, auth.account_role]).toEqual([303, 'default-roles-staff'])
})

test('okta: the claims of profile, email and groups are only in the userinfo', async () => {
  const { asked, status, auth } = await logIn(
    {
      path: '/oauth2/default',
      authenticationMethods: [
        'client_secret_basic',
        'client_secret_post',
        'client_secret_jwt',
        'private_key_jwt',
      ],
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      person: { groups: ['Everyone', 'ports'] },
      claimsInIdToken: false,
      scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    },
    {
      config: { preset: 'okta', scope: 'openid profile email groups' },
      allow: { groups: ['ports'] },
    } as { config: object },
  )
  expect([status, asked.get('scope')]).toEqual([303, 'openid profile email groups'])
  expect(auth.properties).toMatchObject({
    name: 'Name of ada',
    email: 'ada@example.org',
    email_verified: true,
  })
})

test('gitlab: most claims are only in the userinfo', async () => {
  const { status, auth } = await logIn(
    {
      authenticationMethods: ['client_secret_basic', 'client_secret_post'],
      claims: {
        openid: ['sub', 'groups_direct'],
        profile: ['name', 'nickname', 'profile', 'picture'],
        email: ['email', 'email_verified'],
      },
      person: { nickname: 'ada', profile: 'https://gitlab.example.org/ada', groups_direct: ['ports'] },
      claimsInIdToken: false,
    },
    { config: { preset: 'gitlab' }, allow: { groups_direct: 'ports' } } as { config: object },
  )
  expect(status).toBe(303)
  expect(auth.properties).toMatchObject({ nickname: 'ada', profile: 'https://gitlab.example.org/ada' })
})

describe('github', () => {
  async function logInAtHub(emails: { readonly status: number; readonly list: unknown }) {
    const provider = await startFaultyProvider()
    closing.push(() => provider.close())
    const { issuer } = provider
    provider.fault = { noIdToken: true, userinfo: { id: 4711, login: 'ada', email: null }, emails }
    const config = {
      preset: 'github',
      clientId: faultyClient.id,
      clientSecret: faultyClient.secret,
      authorizationEndpoint: `${issuer}/authorize`,
      tokenEndpoint: `${issuer}/token`,
      userinfoEndpoint: `${issuer}/userinfo`,
      emailsEndpoint: `${issuer}/emails`,
    }
    const entry = { name: 'hub', strategy: 'oauth2', config, account: { displayName: 'login' } }
    const { settings, mistakes } = readLogin(configured(entry), undefined)
    expect(mistakes).toEqual([])
    const front = await frontWith(settings)
    const browser = new TestBrowser(front.front.baseUrl)
    const { location } = await browser.get('/auth/hub')
    expect(new URL(location).searchParams.get('scope')).toBe('read:user user:email')
    const atCallback = await browser.follow(location, (url) => url.includes('/callback'))
    const { status } = await browser.get(atCallback.url.replace(/&iss=[^&]+/, ''))
    expect(status).toBe(303)
    return (await browser.get('/session')).body.auth.properties
  }

  test('a private address is the verified primary one of the list', async () => {
    const list = [
      { email: 'old@example.org', primary: false, verified: true },
      { email: 'ada@example.org', primary: true, verified: true },
    ]
    expect(await logInAtHub({ status: 200, list })).toMatchObject({
      email: 'ada@example.org',
      email_verified: true,
    })
  })

  test.each([
    ['is not verified', { status: 200, list: [{ email: 'a@example.org', primary: true, verified: false }] }],
    ['may not be read', { status: 404, list: { message: 'Not Found' } }],
    ['is refused', { status: 403, list: { message: 'Forbidden' } }],
    ['is none', { status: 200, list: { odd: true } }],
  ])('a list that %s gives none, and the login goes on', async (_what, emails) => {
    const properties = await logInAtHub(emails)
    expect([properties.login, properties.email ?? null, 'email_verified' in properties]).toEqual([
      'ada',
      null,
      false,
    ])
  })
})

test.each([
  [
    { strategy: 'oauth2', config: { preset: 'google', clientId: 'x' } },
    'config.preset “google” needs the strategy “openid”',
  ],
  [
    { strategy: 'openid', config: { preset: 'github', clientId: 'x' } },
    'config.preset “github” needs the strategy “oauth2”',
  ],
  [
    { strategy: 'openid', config: { preset: 'entra', clientId: 'x' } },
    'config.preset “entra” needs config.tenant, the id of the tenant',
  ],
  [
    { strategy: 'openid', config: { preset: 'keycloak', clientId: 'x', issuer: 'https://id.example.org' } },
    'config.issuer: of Keycloak it ends in /realms/ and the name of the realm',
  ],
  [
    { strategy: 'openid', config: { preset: 'okta', clientId: 'x' } },
    'the strategy “openid” needs config.issuer',
  ],
  [
    {
      strategy: 'openid',
      config: { preset: 'google', clientId: 'x', clientAuthentication: 'private_key_jwt' },
    },
    'config.clientAuthentication “private_key_jwt” needs config.clientKey',
  ],
  [
    { strategy: 'gateway', allow: { a: 'b' } },
    'allow, account.roles and account.metadata need the strategy “openid” or “oauth2”',
  ],
  [
    {
      strategy: 'openid',
      config: { preset: 'google', clientId: 'x' },
      account: { roles: { hd: { 'example.org': 'a' } } },
    },
    'account.roles and account.metadata need the generator “gateway”',
  ],
])('%j is refused: %s', (entry, mistake) => {
  const { mistakes } = readLogin(configured(entry), { address: 'http://127.0.0.1:1' })
  expect(mistakes.map((line) => line.replace(/^authentication \w+: /, ''))).toEqual([mistake])
})
