/** Every key of `GET /session`, present or absent, for every way to configure the web front. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { frontSettings } from '../../src/bin/front-settings.ts'
import { frontCommandOptions } from '../../src/config/command-options.ts'
import { loadConfig } from '../../src/config/load.ts'
import { startWebFront } from '../../src/web-front/web-front.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { type FaultyProvider, faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { partOf } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { redisUrl } from '../support/redis-server.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

type Strategy = 'gateway' | 'openid' | 'oauth2' | 'module'
type Generator = 'none' | 'gateway' | 'refresh_token' | 'client_credentials' | 'module'

/** One way to configure the web front, and how `GET /session` is called. */
interface Combination {
  readonly strategy: Strategy
  readonly generator: Generator
  readonly transparentTokens: boolean
  readonly store: 'memory' | 'sqlite' | 'redis'
  readonly proxypath: boolean
  readonly entirety: boolean
}

/** Whether the gateway knows the account of the account that is logged in. */
const isIntegrated = ({ strategy, generator }: Combination) =>
  strategy === 'gateway' || generator === 'gateway'

/** Whether there is a token for the backend: a log-in at the gateway gives one, a generator makes some. */
const hasToken = ({ strategy, generator }: Combination) => strategy === 'gateway' || generator !== 'none'

const always = () => true

/** When each key is there. What is not in this table is never there. */
const rules: Readonly<Record<string, (combination: Combination) => boolean>> = {
  id: always,
  'auth.account_id': always,
  'auth.account_role': always,
  'auth.displayName': always,
  // The gateway has no images of its accounts.
  'auth.avatar': ({ strategy }) => strategy !== 'gateway',
  'auth.strategy': always,
  'auth.provider': always,
  'auth.properties': always,
  'auth.expires': isIntegrated,
  'auth.metadata': isIntegrated,
  'auth.accessToken': (combination) => hasToken(combination) && !combination.transparentTokens,
  'auth.credentialExpires': (combination) => hasToken(combination) && !combination.transparentTokens,
  backend: always,
  configs: always,
  query: always,
  params: always,
  sessions: ({ entirety, store }) => entirety && store === 'redis',
}

/** The generators that go with each strategy. */
const generators: Readonly<Record<Strategy, readonly Generator[]>> = {
  gateway: ['none', 'gateway', 'module'],
  openid: ['none', 'gateway', 'refresh_token', 'client_credentials', 'module'],
  oauth2: ['none', 'gateway', 'refresh_token', 'client_credentials', 'module'],
  module: ['none', 'gateway', 'module'],
}

const loginModule = `export default () => ({
  async begin({ redirectUri, state }) {
    return { url: redirectUri + '?state=' + state, kept: {} }
  },
  async complete() {
    return {
      account_id: 'ada', account_role: 'guest', displayName: 'Ada', avatar: 'https://images.example.org/ada.png',
      properties: { email: 'ada@example.org' }, username: 'robin',
    }
  },
})`
const tokenModule = `let count = 0
export default () => ({
  async generate() {
    return { accessToken: 'made-' + (count += 1), expires: '2100-01-01T00:00:00Z' }
  },
})`

const userinfo = {
  name: 'Ada',
  picture: 'https://images.example.org/ada.png',
  email: 'ada@example.org',
  role: 'guest',
  at_gateway: 'robin',
}
const password = 'a long pass phrase'
const target = () => gateway.url
let gateway: TestGateway
let provider: FaultyProvider
let folder: Awaited<ReturnType<typeof applicationFolder>>
const keys = new Map<string, string>()

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
  provider = await startFaultyProvider()
  folder = await applicationFolder()
  await writeFile(join(folder.path, 'login.mjs'), loginModule)
  await writeFile(join(folder.path, 'tokens.mjs'), tokenModule)
  const make = async (path: string, body: object) =>
    (await gateway.request('POST', path, { body })).body as Record<string, string>
  await make('/manage/roles', { name: 'reader', authorities: [{ regex: '/graphql', methods: ['GET'] }] })
  await make('/manage/roles', {
    name: 'service',
    authorities: [{ regex: '/manage/tokens', methods: ['POST'] }],
    gives: ['reader'],
  })
  const robin = { username: 'robin', role: 'reader', expire_days: 30, metadata: { desk: 4 } }
  for (const account of [robin, { username: 'front', role: 'service' }]) {
    const { api_key: key = '' } = await make('/manage/accounts', { ...account, password })
    keys.set(account.username, key)
  }
})
afterAll(async () => {
  await gateway?.close()
  await provider?.close()
  await folder?.remove()
})

/** A web front as its operator would write it down. */
function configurationOf(combination: Combination): object {
  const { strategy, generator, transparentTokens, store, proxypath } = combination
  const server = {
    openid: { issuer: provider.issuer },
    oauth2: {
      authorizationEndpoint: `${provider.issuer}/authorize`,
      tokenEndpoint: `${provider.issuer}/token`,
      userinfoEndpoint: `${provider.issuer}/userinfo`,
      issuer: provider.issuer,
    },
  }
  const isOauth = strategy === 'openid' || strategy === 'oauth2'
  return {
    port: 0,
    content: { root: folder.root },
    configs: { theme: 'dark' },
    backend: { target: target(), ...(proxypath ? { proxypath: '/backend' } : {}) },
    gateway: { username: 'front', password, api_key: keys.get('front') },
    session: {
      store,
      file: join(folder.path, `${randomUUID()}.sqlite`),
      prefix: `test-${randomUUID()}:`,
      ...(store === 'redis' ? { url: redisUrl } : {}),
    },
    authentication: {
      name: 'way',
      strategy: strategy === 'module' ? join(folder.path, 'login.mjs') : strategy,
      transparentTokens,
      ...(generator === 'none' ? {} : { generator }),
      ...(generator === 'module' ? { generator: join(folder.path, 'tokens.mjs') } : {}),
      ...(isOauth
        ? {
            config: { ...server[strategy], clientId: faultyClient.id, clientSecret: faultyClient.secret },
            account: { account_role: 'role', username: 'at_gateway' },
          }
        : {}),
    },
  }
}

function settingsOf(combination: Combination) {
  const { values } = loadConfig(frontCommandOptions, {
    flags: ['--config', 'front.yaml'],
    environment: {},
    readText: () => JSON.stringify({ front: configurationOf(combination) }),
  })
  return frontSettings(values.front, () => {})
}

async function logIn(browser: TestBrowser, strategy: Strategy): Promise<void> {
  provider.fault = { userinfo, ...(strategy === 'openid' ? {} : { noIdToken: true }) }
  if (strategy !== 'gateway') {
    expect((await browser.follow('/auth/way')).status).toBe(200)
    return
  }
  const form = await browser.get('/auth/way')
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const entered = { username: 'robin', password, api_key: keys.get('robin') ?? '' }
  expect((await browser.request('/auth/way', { form: { state, ...entered } })).status).toBe(303)
}

function keysOf(session: Readonly<Record<string, object>>): readonly string[] {
  return Object.entries(session)
    .flatMap(([key, value]) => (key === 'auth' ? Object.keys(value).map((own) => `auth.${own}`) : [key]))
    .sort()
}

const stores = ['memory', 'sqlite', ...(redisUrl === undefined ? [] : ['redis' as const])] as const
const combinations = (['gateway', 'openid', 'oauth2', 'module'] as const).flatMap((strategy) =>
  generators[strategy].flatMap((generator) =>
    stores.flatMap((store) =>
      [true, false].flatMap((transparentTokens) =>
        [true, false].map((proxypath) => ({ strategy, generator, store, transparentTokens, proxypath })),
      ),
    ),
  ),
)
const isPossible = ({ transparentTokens, proxypath }: Omit<Combination, 'entirety'>) =>
  proxypath || !transparentTokens

describe('the keys of GET /session', () => {
  test.each(partOf(combinations.filter(isPossible), 8))(
    '$strategy, generator $generator, transparentTokens $transparentTokens, store $store, proxypath $proxypath',
    async (settings) => {
      const front = await startWebFront(settingsOf({ ...settings, entirety: false }))
      onTestFinished(() => front.close())
      const browser = new TestBrowser(front.baseUrl)
      await logIn(browser, settings.strategy)
      const tokens: unknown[] = []
      for (const entirety of [false, true]) {
        const combination: Combination = { ...settings, entirety }
        const { status, body } = await browser.get(`/session${entirety ? '?entirety=true' : ''}`)
        const wanted = Object.keys(rules).filter((key) => rules[key]?.(combination))
        expect([status, keysOf(body)]).toEqual([200, wanted.sort()])
        expect(body.backend).toBe(settings.proxypath ? '/backend' : target())
        expect(body.configs).toEqual({ theme: 'dark' })
        expect([body.query, body.params]).toEqual([{}, {}])
        if (isIntegrated(combination)) {
          // The role that the login itself names is shown, where it names one.
          const account_role = settings.strategy === 'gateway' ? 'reader' : 'guest'
          expect(body.auth).toMatchObject({ account_role, metadata: { desk: 4 } })
        }
        if ('sessions' in body) expect(body.sessions).toEqual([body.id])
        tokens.push(body.auth.accessToken)
      }
      // What gives tokens to the application gives another one with each call.
      const isRenewed = settings.generator !== 'none' && !settings.transparentTokens
      expect(tokens[0] !== tokens[1]).toBe(isRenewed)
    },
  )
})

test('tokens that are put in need a path where calls pass', () => {
  for (const impossible of combinations.filter((combination) => !isPossible(combination))) {
    expect(() => settingsOf({ ...impossible, entirety: false })).toThrow(
      'authentication way: transparentTokens needs backend.proxypath',
    )
  }
})
