import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ClaimRules } from '../../src/util/claim-rules.ts'
import type { GatewaySettings } from '../../src/web-front/login/build-providers.ts'
import { faultyLogin, frontWith, lastFailure, logInWith, textOf } from '../support/faulty-login.ts'
import { type FaultyProvider, startFaultyProvider } from '../support/faulty-provider.ts'
import { freePort } from '../support/free-port.ts'
import { products } from '../support/products.ts'
import type { TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway
let provider: FaultyProvider
let apiKey = ''
const [product] = products
const password = 'a long pass phrase'

const calls = [
  { regex: '/manage/(tokens|accounts)', methods: ['POST'] },
  { regex: '/manage/accounts/[^/]+', methods: ['PATCH'] },
]

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
  provider = await startFaultyProvider()
  const post = (path: string, body: object) => gateway.request('POST', path, { body })
  await post('/manage/roles', { name: 'reader', authorities: [{ regex: '/graphql', methods: ['GET'] }] })
  await post('/manage/roles', { name: 'writer', authorities: [{ regex: '/apis/.*', methods: ['POST'] }] })
  await post('/manage/roles', { name: 'boss', authorities: [{ regex: '/manage/.*', methods: ['GET'] }] })
  await post('/manage/roles', { name: 'service', authorities: calls, gives: ['reader', 'writer'] })
  const made = await post('/manage/accounts', { username: 'front', password, role: 'service' })
  apiKey = (made.body as Record<string, string>).api_key ?? ''
})
afterAll(async () => {
  await gateway.close()
  await provider.close()
})
beforeEach(() => {
  provider.fault = {}
})

function front(
  rules: ClaimRules,
  more: Partial<GatewaySettings> = {},
  mapping: object = {},
): Promise<TestFront> {
  const login = faultyLogin(provider, {
    generator: { kind: 'gateway' },
    strategy: {
      rules,
      mapping: { accountId: 'sub', displayName: 'name', avatar: 'picture', properties: [], ...mapping },
    },
  })
  const credentials = async () => ({ username: 'front', password, apiKey })
  return frontWith(login, { gateway: { address: gateway.url, credentials, ...more } })
}

const logIn = (running: TestFront, sub: string, claims: object = {}) =>
  logInWith(running, provider, { claims: { sub }, userinfo: { sub, ...claims } })

const whoami = async (token: string) =>
  (await gateway.request('GET', '/whoami', { token })).body as {
    readonly roles: readonly { readonly name: string }[]
    readonly metadata: object
  }
const account = async (name: string) =>
  (await gateway.request('GET', `/manage/accounts/${encodeURIComponent(`faulty:${name}`)}`)).body as {
    readonly role: unknown
    readonly metadata: object
  }

const roles = {
  groups: { staff: ['reader'], 'port-admins': ['writer', 'reader'], bosses: ['boss'], odd: ['nix'] },
}

test('claims give roles and metadata, anew at each login; open sessions follow', async () => {
  const running = await front({ roles, metadata: { tenant: 'org.id', desk: 'desk' } })
  const first = await logIn(running, 'ada', { groups: ['staff', 'port-admins'], org: { id: 't1' }, desk: 7 })
  const { auth } = (await first.browser.get('/session')).body
  expect([auth.account_role, auth.metadata]).toEqual(['reader', { tenant: 't1', desk: 7 }])
  expect((await whoami(auth.accessToken)).roles.map(({ name }) => name)).toEqual(['reader', 'writer'])

  await logIn(running, 'ada', { groups: ['port-admins'], org: { id: 't2' } })
  expect(await account('ada')).toMatchObject({ role: ['writer', 'reader'], metadata: { tenant: 't2' } })
  await logIn(running, 'ada', { groups: ['staff'], org: { id: 't2' } })
  const after = await whoami(auth.accessToken)
  expect([after.roles.map(({ name }) => name), after.metadata]).toEqual([['reader'], { tenant: 't2' }])
  const shown = (await first.browser.get('/session')).body.auth
  expect([shown.account_role, shown.metadata]).toEqual(['reader', { tenant: 't2' }])
})

test('a login that changes nothing writes nothing', async () => {
  const running = await front({ roles, metadata: { tenant: 'org' } })
  const changes = async () => {
    const entries = (await gateway.request('GET', '/manage/audit')).body as readonly {
      readonly name: string
      readonly action: string
    }[]
    return entries.filter(({ name }) => name === 'faulty:bob').map(({ action }) => action)
  }
  await logIn(running, 'bob', { groups: ['staff'], org: 'a' })
  await logIn(running, 'bob', { groups: ['staff'], org: 'a' })
  expect(await changes()).toEqual(['created'])
  await logIn(running, 'bob', { groups: ['staff'], org: 'b' })
  expect((await changes()).toSorted()).toEqual(['changed', 'created'])
})

test('metadata that others have set stays', async () => {
  await gateway.request('POST', '/manage/accounts', {
    body: { username: 'faulty:carol', password, role: 'reader', metadata: { desk: 3, tenant: 'old' } },
  })
  const running = await front({ metadata: { tenant: 'org' } })
  expect((await logIn(running, 'carol', { org: 'new' })).page.status).toBe(303)
  expect(await account('carol')).toMatchObject({ role: 'reader', metadata: { desk: 3, tenant: 'new' } })
})

describe('a person is refused', () => {
  const refusal = async (running: TestFront, claims: object) => {
    const { page, browser } = await logIn(running, 'eve', claims)
    expect((await browser.get('/session')).status).toBe(401)
    return [page.status, textOf(page.text), lastFailure(running.events)] as const
  }

  test('whose role does not exist at the gateway, by its name', async () => {
    const [status, text, log] = await refusal(await front({ roles }), { groups: ['staff', 'odd'] })
    expect(status).toBe(403)
    expect(text).toContain('a role that does not exist at the gateway. The role is named "nix".')
    expect(log).toContain('There is no role named "nix".')
    const usernames = (await gateway.request('GET', '/manage/accounts')).body as { username: string }[]
    expect(usernames.map(({ username }) => username)).not.toContain('faulty:eve')
  })

  test('whose role the web front may not give; an account keeps what it had', async () => {
    const running = await front({ roles })
    await logIn(running, 'mallory', { groups: ['staff'] })
    const { page } = await logIn(running, 'mallory', { groups: ['staff', 'bosses'] })
    expect([page.status, textOf(page.text)]).toEqual([403, expect.stringContaining('“gives”')])
    expect(lastFailure(running.events)).toContain('boss')
    expect(await account('mallory')).toMatchObject({ role: 'reader' })
    const [status] = await refusal(running, { groups: ['bosses'] })
    expect(status).toBe(403)
  })

  test('who has an account with more rights, whatever the claims say', async () => {
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'faulty:chief', password, role: 'boss' },
    })
    const { page } = await logIn(await front({ roles }), 'chief', { groups: ['staff'] })
    expect(page.status).toBe(403)
    expect(await account('chief')).toMatchObject({ role: 'boss' })
  })

  test('to whom claims give no role, unless there is a usual one', async () => {
    const [status, text] = await refusal(await front({ roles }), { groups: ['none'] })
    expect([status, text]).toEqual([403, expect.stringContaining('Your account has no role here.')])
    const running = await front({ roles }, { roleOfNewAccounts: 'reader' })
    const { page } = await logIn(running, 'frank', { groups: ['none'] })
    expect([page.status, await account('frank')]).toEqual([303, expect.objectContaining({ role: 'reader' })])
    await logIn(running, 'frank', { groups: ['port-admins'] })
    await logIn(running, 'frank', {})
    expect(await account('frank')).toMatchObject({ role: 'reader' })
  })

  test('whose claims are not those that are allowed', async () => {
    const running = await front({ allow: [{ hd: ['example.org'] }] }, { roleOfNewAccounts: 'reader' })
    const [status, text, log] = await refusal(running, { hd: 'evil.example' })
    expect(status).toBe(403)
    expect(text).toBe(
      `You are not logged in Your account is not allowed here. Log in with another one, or ask your administrator. Try again Reference: ${/Reference: (\S+)/.exec(text)?.[1]}`,
    )
    expect(log).toBe(
      'The account "eve" is refused by its claim hd. The setting “allow” of this provider decides.',
    )
    expect((await logIn(running, 'grace', { hd: 'example.org' })).page.status).toBe(303)
  })
})

describe('the start', () => {
  test('warns of roles that do not exist', async () => {
    const running = await front({ roles: { groups: { a: ['reader', 'nix'], b: ['nox'] } } })
    expect((await running.front.checkOwnAccount())?.sentence).toBe(
      'No one can log in with the role "nix", "nox": it does not exist at the gateway. Create it there, or correct gateway.role and account.roles.',
    )
    const other = await front({}, { roleOfNewAccounts: 'misspelt' })
    expect((await other.front.checkOwnAccount())?.sentence).toBe(
      'No one can log in with the role "misspelt": it does not exist at the gateway. Create it there, or correct gateway.role and account.roles.',
    )
  })

  test('warns of roles that the web front may not give', async () => {
    const running = await front({ roles: { groups: { a: ['reader'], b: ['boss'] } } })
    expect((await running.front.checkOwnAccount())?.sentence).toBe(
      'No one can log in with the role "boss": the role of the web front’s own account does not list it in “gives”. Add it there.',
    )
  })

  test('warns if the web front may not change accounts', async () => {
    const authorities = [{ regex: '/manage/(tokens|accounts)', methods: ['POST'] }]
    const body = { name: 'narrow', authorities, gives: ['reader'] }
    await gateway.request('POST', '/manage/roles', { body })
    const username = 'narrow-front'
    const made = await gateway.request('POST', '/manage/accounts', {
      body: { username, password, role: 'narrow' },
    })
    const { api_key: key = '' } = made.body as Record<string, string>
    const running = await front({ roles }, { credentials: async () => ({ username, password, apiKey: key }) })
    expect((await running.front.checkOwnAccount())?.sentence).toBe(
      'The role of the web front’s own account does not allow PATCH /manage/accounts/no-such-account.',
    )
  })

  test('warns if the gateway cannot be reached', async () => {
    const address = `http://127.0.0.1:${await freePort()}`
    const running = await front({ roles }, { address })
    expect((await running.front.checkOwnAccount())?.sentence).toMatch(
      /^The gateway at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.*ECONNREFUSED.*\), so its roles were not checked\.$/,
    )
  })

  test('says nothing if all is well, and has created nothing', async () => {
    const before = (await gateway.request('GET', '/manage/accounts')).body
    const running = await front({ roles: { groups: { a: ['reader', 'writer'] } } })
    expect(await running.front.checkOwnAccount()).toBe(undefined)
    expect((await gateway.request('GET', '/manage/accounts')).body).toEqual(before)
  })
})

test('a role that a claim names is the one that the session shows, renewed or not', async () => {
  const running = await front({}, { roleOfNewAccounts: 'reader' }, { accountRole: 'role' })
  const { browser } = await logIn(running, 'hedy', { role: 'admin' })
  const shown = [await browser.get('/session'), await browser.get('/session?refresh=true')]
  expect(shown.map(({ body }) => body.auth.account_role)).toEqual(['admin', 'admin'])
  const { accessToken } = shown[1]?.body.auth ?? {}
  expect((await whoami(accessToken)).roles.map(({ name }) => name)).toEqual(['reader'])
  const other = await logIn(running, 'ivan', {})
  expect((await other.browser.get('/session')).body.auth.account_role).toBe('reader')
})
