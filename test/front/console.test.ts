/** The console beside an application, and without one: its page, who may use it, and how it reaches the gateway. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseTarget, type Target } from '../../src/proxy/target.ts'
import { startWebFront } from '../../src/web-front/web-front.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { echoOf } from '../support/echo-template.ts'
import { type FaultyProvider, faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { products } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { frontDefaults, startTestFront, type TestFrontSettings } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { closedPort, startEcho } from '../support/upstream-servers.ts'

const page = `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__">
<script type="module" src="./assets/index-BkX93kd1.js"></script><link rel="stylesheet" href="./assets/index-Cq81xKd2.css">`

let folder: Awaited<ReturnType<typeof applicationFolder>>
let gateway: TestGateway
let provider: FaultyProvider
let serviceKey = ''
const [product] = products
const password = 'a long pass phrase'

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  folder = await applicationFolder({
    'index.html': page,
    'assets/index-BkX93kd1.js': 'start()',
    'assets/index-BkX93kd1.js.map': '{}',
    'assets/index-Cq81xKd2.css': 'p {}',
    'licenses.md': '# Licenses',
  })
  gateway = await startTestGateway(product)
  provider = await startFaultyProvider()
  const post = (path: string, body: object) => gateway.request('POST', path, { body })
  const services = [{ regex: '/manage/(tokens|logon-checks)', methods: ['POST'] }]
  const reading = [{ regex: '/manage/(roles|accounts)(/.*)?', methods: ['GET'] }]
  await post('/manage/roles', { name: 'service', authorities: services, gives: '*' })
  await post('/manage/roles', { name: 'reader', authorities: reading })
  await post('/manage/roles', { name: 'other', authorities: [] })
  const service = await post('/manage/accounts', { username: 'front', password, role: 'service' })
  serviceKey = (service.body as Record<string, string>).api_key ?? ''
  await post('/manage/accounts', { username: 'robin', password, role: ['reader', 'other'] })
})
afterAll(async () => {
  await provider.close()
  await gateway.close()
  await folder.remove()
})

const staff = {
  name: 'gateway',
  label: 'Staff',
  strategy: { kind: 'gateway' },
  transparentTokens: true,
} as const

const guests = () =>
  ({
    name: 'guests',
    label: 'Guests',
    transparentTokens: true,
    strategy: {
      kind: 'openid',
      oauth: {
        provider: 'guests',
        server: { kind: 'discovered', issuer: provider.issuer },
        clientId: faultyClient.id,
        clientSecret: faultyClient.secret,
        scopes: ['openid'],
        parameters: {},
      },
      mapping: { accountId: 'sub', displayName: 'name', avatar: 'picture', properties: [] },
      endsProviderSession: false,
    },
  }) as const

function targetOf(url: string): Target {
  const target = parseTarget(url)
  if ('mistake' in target) throw new Error(target.mistake)
  return target
}

/** A web front with the console; `shown` is the gateway that the console shows, if it is not that of the accounts. */
async function start(settings: TestFrontSettings = {}, shown = gateway.url): Promise<string> {
  const running = await startTestFront({
    console: { path: '/console', folder: folder.root, gateway: targetOf(shown) },
    version: '1.2.3',
    gateway: {
      address: gateway.url,
      credentials: async () => ({ apiKey: serviceKey, username: 'front', password }),
    },
    providers: [staff],
    ...settings,
  })
  onTestFinished(() => running.close())
  return running.front.baseUrl
}

/** A browser in which an account of the gateway is logged in. */
async function logIn(url: string, username = 'robin'): Promise<TestBrowser> {
  const browser = new TestBrowser(url)
  const form = await browser.get('/auth/gateway')
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const done = await browser.request('/auth/gateway', { form: { state, username, password } })
  expect(done.status).toBe(303)
  return browser
}

async function logInAsGuest(url: string): Promise<TestBrowser> {
  provider.fault = { claims: { sub: 'eve' }, userinfo: { sub: 'eve' } }
  const browser = new TestBrowser(url)
  const { location } = await browser.get('/auth/guests')
  const atCallback = await browser.follow(location, (at) => at.includes('/callback'))
  expect((await browser.get(atCallback.url)).status).toBe(303)
  return browser
}

describe('the page', () => {
  let url: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const running = await startTestFront({ console: { path: '/admin/console', folder: folder.root } })
    url = running.url
    close = running.close
  })
  afterAll(() => close())

  test('begins with a slash at the end of its address, and keeps the query', async () => {
    const browser = new TestBrowser(url)
    const answers = await Promise.all(
      ['/admin/console', '/admin/console?tab=roles&a=%2F'].map((path) => browser.get(path)),
    )
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [302, '/admin/console/'],
      [302, '/admin/console/?tab=roles&a=%2F'],
    ])
  })

  test.each([
    '',
    '?tab=roles',
    'index.html',
    'roles',
    'accounts/ada@example.org',
    'tables/public.orders',
    'roles/a%2Fb',
    'routes/%C3%BC',
  ])('is at the path “%s” below it', async (path) => {
    const { status, headers, text } = await new TestBrowser(url).get(`/admin/console/${path}`)
    const policy = headers.get('content-security-policy') ?? ''
    const [, nonce] = /'nonce-([\w-]+)'/.exec(policy) ?? []
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(policy.replaceAll(`${nonce}`, 'N')).toBe(
      "script-src 'self' 'nonce-N'; style-src 'self' 'nonce-N'; default-src 'self'; connect-src 'self'; " +
        "img-src 'self' data: blob:; frame-src blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(text).toBe(`<!doctype html><meta property="csp-nonce" nonce="${nonce}">
<script nonce=${nonce} type="module" src="/admin/console/assets/index-BkX93kd1.js"></script><link rel="stylesheet" href="/admin/console/assets/index-Cq81xKd2.css">`)
  })

  test('loads its files, which browsers keep', async () => {
    const files = ['assets/index-BkX93kd1.js', 'assets/index-Cq81xKd2.css', 'licenses.md']
    const answers = await Promise.all(files.map((file) => fetch(`${url}/admin/console/${file}`)))
    expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
      [200, 'public, max-age=31536000, immutable'],
      [200, 'public, max-age=31536000, immutable'],
      [200, 'no-cache'],
    ])
    expect(await answers[0]?.text()).toBe('start()')
  })

  test.each([
    ['GET', 'assets/missing-BkX93kd1.js', 404],
    ['GET', 'assets/index-BkX93kd1.js.map', 404],
    ['GET', '../console', 400],
    ['GET', 'roles/..%2F..%2Fetc', 400],
    ['GET', 'gateway/manage/roles', 404],
    ['POST', 'roles', 405],
  ])('%s on “%s” below it is a problem', async (method, path, status) => {
    const request = `${method} /admin/console/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`
    const answer = await rawRequest(url, request)
    expect([answer.status, answer.text]).toEqual([
      status,
      expect.stringContaining('application/problem+json'),
    ])
  })
})

test('beside an application, the console takes nothing but its path, and leaves its session alone', async () => {
  const url = await start({ content: { patterns: ['/*'] }, providers: [] })
  const browser = new TestBrowser(url)
  expect((await browser.get('/consoles')).text).toContain('<p>Hello</p>')
  expect((await browser.get('/?tab=ports')).text).toContain('<p>Hello</p>')
  expect((await browser.get('/console/roles?tab=x')).text).toContain('csp-nonce')
  expect((await browser.get('/session')).body).toMatchObject({ query: { tab: 'ports' }, backend: '/backend' })
})

test('without an application, its paths lead to the console, also after a login and a logout', async () => {
  const { content, ...defaults } = frontDefaults(folder.root)
  const running = await startWebFront({
    ...defaults,
    content: { patterns: ['/', '/tenants/:tenant'], policy: content.policy },
    console: { path: '/console', folder: folder.root, gateway: targetOf(gateway.url) },
    gateway: {
      address: gateway.url,
      credentials: async () => ({ apiKey: serviceKey, username: 'front', password }),
    },
    providers: [staff],
    observe: () => {},
  })
  onTestFinished(() => running.close())
  const browser = await logIn(running.address)
  const paths = ['/', '/?tab=1', '/tenants/acme', '/nowhere']
  const answers = await Promise.all(paths.map((path) => browser.get(path)))
  expect(answers.map(({ status, location }) => [status, location])).toEqual([
    [302, '/console/'],
    [302, '/console/?tab=1'],
    [302, '/console/'],
    [404, ''],
  ])
  await browser.get('/console/?tab=1')
  expect((await browser.get('/session')).body.query).toEqual({ tab: '1' })
  expect((await browser.get('/logout')).location).toBe('/console/')
})

test('turned off, it is not there; then nothing is served without an application', async () => {
  const { content, ...defaults } = frontDefaults(folder.root)
  const running = await startWebFront({
    ...defaults,
    content: { patterns: ['/'], policy: content.policy },
    observe: () => {},
  })
  onTestFinished(() => running.close())
  const browser = new TestBrowser(running.address)
  expect((await browser.get('/')).body).toMatchObject({
    status: 404,
    detail:
      'This web front has no application, and its console is turned off. Name the folder of an application with content.root.',
  })
  const answers = await Promise.all(['', '/', '/session'].map((path) => browser.get(`/console${path}`)))
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('a console that was not built is said', async () => {
  await expect(start({ console: { path: '/console', folder: '/nowhere' } })).rejects.toMatchObject({
    code: 'CONTENT_MISSING',
    detail:
      'The console is not in "/nowhere". Build it with “npm run build”, or turn it off with --console_path=false.',
  })
})

describe('who may use it', () => {
  const rest = { gateway: '/console/gateway', version: '1.2.3' }

  test('no one, where no login has accounts of the gateway', async () => {
    const browser = await logInAsGuest(await start({ providers: [guests()] }))
    expect((await browser.get('/console/session')).body).toEqual({
      login: null,
      reason:
        'This web front has no login with accounts of the gateway. Add one to “authentication”: an entry with the strategy “gateway”, or with the generator “gateway”.',
      ...rest,
    })
    expect((await browser.get('/console/gateway/manage/roles')).status).toBe(404)
  })

  test('whoever logs in with an account of the gateway, and comes back to where they were', async () => {
    const url = await start({ providers: [guests(), staff] })
    const nobody = new TestBrowser(url)
    expect((await nobody.get('/console/session')).body).toEqual({ login: '/auth/gateway', ...rest })
    const foreign = await nobody.get('/console/session', { 'sec-fetch-site': 'cross-site' })
    expect([foreign.status, foreign.body.type]).toEqual([403, '/docs/guide/problems/cross-site-refused'])
    const here = encodeURIComponent('/console/roles/a%2Fb?tab=1')
    const form = await nobody.get(`/auth/gateway?returnTo=${here}`)
    const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const entered = { state, username: 'robin', password }
    const done = await nobody.request('/auth/gateway', { form: entered })
    expect(done.location).toBe('/console/roles/a%2Fb?tab=1')
    expect((await nobody.get('/console/session')).body).toEqual({
      login: '/auth/gateway',
      account: { name: 'robin', displayName: 'robin', roles: ['reader', 'other'], hasPassword: true },
      ...rest,
    })
  })

  test('who is logged in is told the names of templates, and what files they make', async () => {
    const templates = {
      ports: { format: 'csv', text: '{{a}}' },
      letter: { format: 'html', text: '<p>{{a}}</p>', outputs: ['pdf', 'html'] },
    }
    const url = await start({ echo: echoOf({ templates }) })
    const nobody = new TestBrowser(url)
    const refused = await nobody.get('/echo/templates')
    expect([refused.status, refused.body.type]).toEqual([401, '/docs/guide/problems/login-required'])
    const browser = await logIn(url)
    expect((await browser.get('/console/session')).body).toMatchObject({ templates: true })
    const list = await browser.get('/echo/templates')
    expect([list.status, list.headers.get('deprecation'), list.body]).toEqual([
      200,
      '@1767225600',
      [
        { name: 'letter', extensions: ['pdf', 'html'] },
        { name: 'ports', extensions: ['csv'] },
      ],
    ])
    const foreign = await browser.get('/echo/templates', { 'sec-fetch-site': 'cross-site' })
    expect([foreign.status, foreign.body.type]).toEqual([403, '/docs/guide/problems/cross-site-refused'])
  })

  test('not who is logged in without one', async () => {
    const browser = await logInAsGuest(await start({ providers: [guests(), staff] }))
    expect((await browser.get('/console/session')).body).toEqual({
      login: '/auth/gateway',
      reason: 'You are logged in by “Guests”, which gives no access to the gateway.',
      ...rest,
    })
    const call = await browser.get('/console/gateway/whoami')
    expect([call.status, call.headers.get('x-gatehouse-refused'), call.body.login]).toEqual([
      401,
      'login',
      '/auth/gateway',
    ])
  })

  test('an account that another login leads to', async () => {
    const generator = { kind: 'gateway' } as const
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'guests:eve', password, role: 'reader' },
    })
    const browser = await logInAsGuest(await start({ providers: [{ ...guests(), generator }] }))
    const { account } = (await browser.get('/console/session')).body
    expect(account).toMatchObject({ name: 'guests:eve', roles: ['reader'], hasPassword: false })
    expect((await browser.get('/console/gateway/whoami')).body.username).toBe('guests:eve')
    // Its token ends, and the next call has another.
    await gateway.request('DELETE', '/manage/tokens?account=guests:eve')
    expect((await browser.get('/console/gateway/whoami')).body.username).toBe('guests:eve')
  })
})

describe('calls of the gateway', () => {
  const own = { 'sec-fetch-site': 'same-origin' }

  test.each([true, false])(
    'have the token of the session (transparentTokens: %s)',
    async (transparentTokens) => {
      const echo = await startEcho()
      const url = await start({ providers: [{ ...staff, transparentTokens }] }, `${echo.url}/gw`)
      const browser = await logIn(url)
      const sent = {
        'x-xaas-auth-token': 'forged',
        x_xaas_api_key: 'forged',
        authorization: 'Bearer forged',
        'x-gatehouse-account': 'root',
        x_gatehouse_roles: 'root',
      }
      const { status } = await browser.request('/console/gateway/manage/roles/a%2Fb?x=%2F', {
        method: 'PUT',
        json: { authorities: [] },
        headers: { ...sent, ...own },
      })
      expect(status).toBe(200)
      const [received] = echo.received
      expect([received?.method, received?.url, received?.body]).toEqual([
        'PUT',
        '/gw/manage/roles/a%2Fb?x=%2F',
        '{"authorities":[]}',
      ])
      const tokens = received?.headers.filter(([name]) => name.toLowerCase() === 'x-xaas-auth-token')
      expect(tokens).toEqual([['X-Xaas-Auth-Token', expect.stringMatching(/^ght_/)]])
      expect(JSON.stringify(received?.headers)).not.toMatch(/forged|root|cookie/i)
      expect((await browser.get('/session')).body.backend).toBe('/backend')
    },
  )

  test('need a login, and a page of this origin', async () => {
    const url = await start()
    const nobody = await new TestBrowser(url).get('/console/gateway/whoami')
    expect([nobody.status, nobody.headers.get('x-gatehouse-refused'), nobody.body.login]).toEqual([
      401,
      'login',
      '/auth/gateway',
    ])
    const browser = await logIn(url)
    const create = (headers: Record<string, string>) =>
      browser.request('/console/gateway/manage/roles', { method: 'POST', json: { name: 'made' }, headers })
    const refused = [await create({}), await create({ 'sec-fetch-site': 'cross-site' })]
    expect(refused.map(({ status, body }) => [status, body.type])).toEqual([
      [403, '/docs/guide/problems/cross-site-refused'],
      [403, '/docs/guide/problems/cross-site-refused'],
    ])
  })

  test('have the rights of the account, and end with it', async () => {
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'carol', password, role: 'reader' },
    })
    const browser = await logIn(await start(), 'carol')
    const role = await browser.get('/console/gateway/manage/roles/other')
    expect([role.status, role.body]).toEqual([200, { name: 'other', authorities: [] }])
    const refused = await browser.request('/console/gateway/manage/roles', {
      method: 'POST',
      json: { name: 'x' },
      headers: own,
    })
    expect([refused.status, refused.headers.get('x-gatehouse-refused'), refused.body]).toEqual([
      401,
      'role',
      {},
    ])
    await gateway.request('DELETE', '/manage/tokens?account=carol')
    const ended = await browser.get('/console/gateway/manage/roles')
    expect([ended.status, ended.headers.get('x-gatehouse-refused'), ended.body.login]).toEqual([
      401,
      'login',
      '/auth/gateway',
    ])
    expect((await browser.get('/console/session')).body).not.toHaveProperty('account')
  })

  test('ask what the database has done, where the account may know it', async () => {
    const authorities = [{ regex: '/graphql|/manage/explain', methods: ['GET', 'POST'] }]
    await gateway.request('POST', '/manage/roles', { body: { name: 'explainer', authorities } })
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'erin', password, role: 'explainer' },
    })
    const browser = await logIn(await start(), 'erin')
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const { status, body } = await browser.request('/console/gateway/graphql', {
        method: 'POST',
        json: { query: '{ __typename }' },
        headers: { ...own, ...headers },
      })
      return [status, body]
    }
    const data = { __typename: 'Query' }
    const explain = { milliseconds: expect.any(Number), statements: [] }
    expect(await ask({})).toEqual([200, { data }])
    expect(await ask({ 'X-Gatehouse-Explain': 'true', 'X-Gatehouse-Fresh': 'true' })).toEqual([
      200,
      { data, extensions: { explain } },
    ])
  })

  test('say that the gateway is away', async () => {
    const browser = await logIn(await start({}, `http://127.0.0.1:${await closedPort()}`))
    const { status, body } = await browser.get('/console/gateway/whoami')
    expect([status, body]).toMatchObject([
      502,
      {
        type: '/docs/guide/problems/upstream-unreachable',
        detail:
          'The web front cannot reach the gateway. Check that it runs, and that gateway.url is its address.',
      },
    ])
  })
})
