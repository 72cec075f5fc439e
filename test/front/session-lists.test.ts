/** Sessions are listed and ended: one's own, and everyone's by those whose role allows it. In every session store. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import type { SessionStoreOptions } from '../../src/web-front/session/open-session-store.ts'
import { products } from '../support/products.ts'
import { redisUrl } from '../support/redis-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const [product] = products
const password = 'a long pass phrase'
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const times = { created: moment, last_used: moment, expires: moment }

const stores: Readonly<Record<string, (folder: string) => SessionStoreOptions>> = {
  memory: () => ({ product: 'memory' }),
  sqlite: (folder) => ({ product: 'sqlite', file: join(folder, 'sessions.sqlite') }),
  ...(redisUrl === undefined
    ? {}
    : {
        redis: (folder) => ({
          product: 'redis',
          url: redisUrl ?? '',
          prefix: `test-${folder.split('/').at(-1)}:`,
        }),
      }),
}

interface Listed {
  readonly id: string
  readonly current: boolean
}

describe.each(Object.keys(stores))('%s', (storeName) => {
  let gateway: TestGateway
  let serviceKey = ''
  beforeAll(async () => {
    if (product === undefined) throw new Error('there is no product')
    gateway = await startTestGateway(product)
    const services = [{ regex: '/manage/(tokens|logon-checks)', methods: ['POST'] }]
    await gateway.request('POST', '/manage/roles', {
      body: { name: 'service', authorities: services, gives: '*' },
    })
    const service = { username: 'front', password, role: 'service' }
    const { body } = await gateway.request('POST', '/manage/accounts', { body: service })
    serviceKey = (body as Record<string, string>).api_key ?? ''
  })
  afterAll(() => gateway.close())

  /** Two nodes that share a store, where it can be shared; else one, twice. */
  async function fronts(transparentTokens: boolean, generator = false): Promise<readonly TestFront[]> {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const target = parseTarget(gateway.url)
    if ('mistake' in target) throw new Error(target.mistake)
    const start = async () => {
      const started = await startTestFront({
        gateway: {
          address: gateway.url,
          credentials: async () => ({ username: 'front', password, apiKey: serviceKey }),
        },
        session: { store: stores[storeName]?.(folder.path) ?? { product: 'memory' } },
        backend: {
          proxyPath: '/backend',
          tokenHeader: 'X-Xaas-Auth-Token',
          target,
          timeouts: { connect: 5000, response: 5000, idle: 5000 },
        },
        providers: [
          {
            name: 'staff',
            label: 'Staff',
            transparentTokens,
            strategy: { kind: 'gateway' },
            ...(generator ? { generator: { kind: 'gateway' } as const } : {}),
          },
        ],
      })
      onTestFinished(() => started.close())
      return started
    }
    const first = await start()
    return [first, storeName === 'memory' ? first : await start()]
  }

  async function logIn(front: TestFront | undefined, username: string): Promise<TestBrowser> {
    const browser = new TestBrowser(front?.url ?? '')
    const form = await browser.get('/auth/staff')
    const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const secret = username === 'admin' ? gateway.password : password
    const sent = await browser.request('/auth/staff', { form: { state, username, password: secret } })
    expect(sent.status).toBe(303)
    return browser
  }

  /** The same cookies at another node. */
  const at = (browser: TestBrowser, front: TestFront | undefined): TestBrowser => {
    const copy = new TestBrowser(front?.url ?? '')
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    return copy
  }

  const idsOf = (body: unknown) => (body as readonly Listed[]).map(({ id }) => id)
  const end = (browser: TestBrowser, address: string, headers: Readonly<Record<string, string>> = {}) =>
    browser.request(address, { method: 'DELETE', headers })

  test.each([true, false])(
    'one sees and ends the sessions of one’s own account, with transparentTokens %s',
    async (transparentTokens) => {
      const [one, other] = await fronts(transparentTokens)
      const name = `eve ${randomUUID()}`
      await createAccount(gateway, name, [{ regex: '/graphql', methods: ['POST'] }])
      await createAccount(gateway, `not ${name}`, [])
      const [here, there] = [await logIn(one, name), await logIn(other, name)]
      const foreign = await logIn(one, `not ${name}`)
      const shown = (await here.get('/session')).body
      const lost = (await there.get('/session')).body
      const [mine, theirs] = [shown.id, lost.id]
      const list = await here.get('/session/all')
      expect(list.body.toSorted((a: Listed) => (a.current ? -1 : 1))).toEqual([
        { id: mine, current: true, ...times },
        { id: theirs, current: false, ...times },
      ])
      const entirety = (await here.get('/session?entirety=true')).body.sessions
      expect(entirety).toEqual(storeName === 'redis' ? [mine, theirs].toSorted() : undefined)

      const thief = new TestBrowser(one?.url ?? '')
      thief.cookies.set('gatehouse', theirs)
      expect((await thief.get('/session')).status).toBe(401)
      const id = idsOf((await foreign.get('/session/all')).body)[0] ?? ''
      const refused = [
        await end(here, `/session/${id}`),
        await end(here, '/session/none'),
        await end(here, `/session/${theirs}`, { 'sec-fetch-site': 'cross-site' }),
        await end(thief, `/session/${theirs}`),
        await thief.get('/session/all'),
      ]
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
        [404, 'RECORD_NOT_FOUND'],
        [404, 'RECORD_NOT_FOUND'],
        [403, 'CROSS_SITE_REFUSED'],
        [401, 'LOGIN_REQUIRED'],
        [401, 'LOGIN_REQUIRED'],
      ])
      expect((await there.get('/session')).status).toBe(200)

      expect((await end(here, `/session/${theirs}`)).status).toBe(204)
      expect((await there.get('/session')).status).toBe(401)
      expect((await at(there, one).get('/session')).status).toBe(401)
      if (!transparentTokens) {
        const { status } = await gateway.request('GET', '/whoami', { token: lost.auth.accessToken })
        expect(status).toBe(401)
      }
      const { body: tokens } = await gateway.request(
        'GET',
        `/manage/tokens?account=${encodeURIComponent(name)}`,
      )
      expect(tokens).toHaveLength(1)
      expect(idsOf((await here.get('/session/all')).body)).toEqual([mine])

      expect((await end(here, `/session/${mine}`)).status).toBe(204)
      expect([here.cookies.has('gatehouse'), (await here.get('/session')).status]).toEqual([false, 401])
      expect((await foreign.get('/session')).status).toBe(200)
    },
  )

  test('an administrator sees everyone’s, page by page, and ends them; others do not', async () => {
    const [one, other] = await fronts(true)
    const name = `ada ${randomUUID()}`
    await createAccount(gateway, name, [{ regex: '/graphql', methods: ['POST'] }])
    const admin = await logIn(one, 'admin')
    const browsers = [await logIn(one, name), await logIn(other, name), await logIn(one, name)]
    const listed = (await admin.get('/manage/sessions')).body
    const entry = (account: string) => ({
      id: expect.any(String),
      provider: 'staff',
      account,
      username: account,
    })
    expect(listed.toSorted((a: { account: string }) => (a.account === name ? -1 : 1))).toEqual([
      ...browsers.map(() => ({ ...entry(name), ...times })),
      { ...entry('admin'), ...times },
    ])

    const pages: string[] = []
    for (let next: string | undefined = '/manage/sessions?limit=2'; next !== undefined; ) {
      const page = await admin.get(next)
      pages.push(...idsOf(page.body))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      if (next !== undefined) next = new URL(next).pathname + new URL(next).search
    }
    expect(pages).toEqual(idsOf(listed))

    const ofAda = `/manage/sessions?account=${encodeURIComponent(name)}`
    const byToken = { 'x-xaas-auth-token': gateway.token }
    const anyone = new TestBrowser(one?.url ?? '')
    expect(idsOf((await anyone.get(ofAda, byToken)).body)).toHaveLength(3)
    const [first = ''] = idsOf((await admin.get(ofAda)).body)
    const refused = [
      await anyone.get('/manage/sessions'),
      await anyone.get('/manage/sessions', { 'x-xaas-auth-token': 'ght_none' }),
      await (browsers[0] as TestBrowser).get('/manage/sessions'),
      await end(browsers[0] as TestBrowser, `/manage/sessions?id=${first}`),
      await end(admin, `/manage/sessions?id=${first}`, { 'sec-fetch-site': 'cross-site' }),
      await end(admin, '/manage/sessions'),
      await end(admin, '/manage/sessions?id=none'),
      await admin.get('/manage/sessions?after=x'),
      await admin.get('/manage/sessions?limit=0'),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'LOGIN_REQUIRED'],
      [401, 'TOKEN_INVALID'],
      [401, undefined],
      [401, undefined],
      [403, 'CROSS_SITE_REFUSED'],
      [400, 'PARAMETER_INVALID'],
      [404, 'RECORD_NOT_FOUND'],
      [400, 'PARAMETER_INVALID'],
      [400, 'PARAMETER_INVALID'],
    ])

    expect((await end(admin, `/manage/sessions?id=${first}`)).body).toEqual({ ended: 1 })
    const alive = async () =>
      Promise.all(browsers.map(async (browser) => (await browser.get('/session')).status))
    expect((await alive()).toSorted()).toEqual([200, 200, 401])
    expect((await end(anyone, ofAda, byToken)).body).toEqual({ ended: 2 })
    expect(await alive()).toEqual([401, 401, 401])
    expect((await gateway.request('GET', ofAda.replace('sessions', 'tokens'))).body).toEqual([])
    expect((await admin.get('/session')).status).toBe(200)
  })

  test('R9: a helper cannot end the sessions of who has more rights', async () => {
    const [one] = await fronts(true)
    const name = `helper ${randomUUID()}`
    const helper = await createAccount(gateway, name, [
      { regex: '/manage/(sessions|tokens)', methods: ['GET', 'DELETE'] },
    ])
    const admin = await logIn(one, 'admin')
    const token = await logonAs(gateway, helper)
    const [id = ''] = idsOf((await admin.get('/session/all')).body)
    const ended = await end(new TestBrowser(one?.url ?? ''), `/manage/sessions?id=${id}`, {
      'x-xaas-auth-token': token,
    })
    expect([ended.status, ended.body.code]).toEqual([403, 'RIGHTS_NOT_HELD'])
    expect((await admin.get('/session')).status).toBe(200)
  })

  test.each([
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ])(
    'a new password leaves the session that asks, and ends the others: transparentTokens %s, generator %s',
    async (transparentTokens, generator) => {
      const [one, other] = await fronts(transparentTokens, generator)
      const name = `sam ${randomUUID()}`
      await createAccount(gateway, name, [])
      const [here, there] = [await logIn(one, name), await logIn(other, name)]
      const accessToken = (await here.get('/session')).body.auth.accessToken
      const changed = await here.request('/backend/whoami/password', {
        method: 'PATCH',
        json: { password, new_password: 'another pass phrase' },
        headers: {
          'x-requested-with': 'test',
          ...(accessToken === undefined ? {} : { 'x-xaas-auth-token': accessToken }),
        },
      })
      expect(changed.status).toBe(204)
      expect((await there.get('/session')).status).toBe(401)
      expect((await here.get('/session')).status).toBe(200)
      expect((await here.get('/session?refresh=true')).status).toBe(200)
    },
  )
})
