import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { frontCommandOptions } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../config/load.ts'
import { frontSettings } from './front-settings.ts'

/** The settings that a configuration file makes. */
function settingsOf(front: string, files: Readonly<Record<string, string>> = {}) {
  const root = front.includes('content:') ? '' : '  content: { root: /srv/app }\n'
  const content = `front:\n${root}${front.replaceAll(/^/gm, '  ')}\n`
  const { values } = loadConfig(frontCommandOptions, {
    flags: ['--config', 'front.yaml'],
    environment: {},
    readText: (path) => {
      const text = path === 'front.yaml' ? content : files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
  })
  return frontSettings(values.front, () => {})
}

function mistakesOf(front: string): readonly string[] {
  try {
    settingsOf(front)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

const gateway = 'gateway: { url: "http://127.0.0.1:9000" }'
const service =
  'gateway: { url: "http://127.0.0.1:9000", username: front, password: p, api_key: k, role: reader }'

test('a provider of OpenID Connect needs an issuer and a client; its secret may lie in a file', () => {
  const front = `
authentication:
  name: staff
  strategy: openid
  generator: refresh_token
  config:
    issuer: https://login.example.org/realms/staff/
    clientId: 0123
    clientSecret_file: /run/secrets/client
  account:
    account_role: realm_access.roles
    properties: [email]`
  expect(settingsOf(front, { '/run/secrets/client': 'secret\n' }).providers).toEqual([
    {
      name: 'staff',
      label: 'staff',
      transparentTokens: false,
      generator: { kind: 'refresh_token' },
      strategy: {
        kind: 'openid',
        oauth: {
          provider: 'staff',
          server: { kind: 'discovered', issuer: 'https://login.example.org/realms/staff/' },
          clientId: '0123',
          clientSecret: 'secret',
          scopes: ['openid', 'profile', 'email'],
          parameters: {},
        },
        mapping: {
          accountId: 'sub',
          accountRole: 'realm_access.roles',
          displayName: 'name',
          avatar: 'picture',
          properties: ['email'],
        },
        rules: {},
        endsProviderSession: false,
        showsIdToken: false,
      },
    },
  ])
})

test('a provider that is well known needs a client only', () => {
  const [provider] = settingsOf(`
authentication:
  strategy: oauth2
  config: { preset: github, clientId: c, clientSecret: s }`).providers
  expect(provider).toMatchObject({
    name: 'oauth2',
    strategy: {
      oauth: {
        scopes: ['read:user', 'user:email'],
        server: { userinfoEndpoint: 'https://api.github.com/user' },
      },
      mapping: { accountId: 'id', avatar: 'avatar_url' },
    },
  })
})

test.each([
  ['http://app.example.org', '', false],
  ['http://192.0.2.7:8080', '', false],
  ['http://127.0.0.1.example.org', '', false],
  ['http://app.example.org', 'session: { plainHttp: true }', true],
  ['https://app.example.org', '', true],
  ['http://localhost:8080', '', true],
  ['http://127.0.0.1:8080', '', true],
])('I1 people log in at %s %s: %s', (address, more, isTaken) => {
  const front = `base_url: ${address}\nauthentication: { strategy: gateway }\n${gateway}\n${more}`
  expect(mistakesOf(front)).toEqual(
    isTaken
      ? []
      : [
          'base_url: takes an https address where people log in; http is only for this machine, or for tests with session.plainHttp',
        ],
  )
  expect(mistakesOf(`base_url: ${address}`)).toEqual([])
})

const wayOut = 'choose another path for the console, or false to turn it off'

test.each([
  ['', []],
  ['console: { path: false }\nbackend: { target: "http://127.0.0.1:1", proxypath: /console }', []],
  ['console: { path: /gh }\nbackend: { target: "http://127.0.0.1:1", proxypath: /console }', []],
  ['content: { root: /srv/app, route: ["/*", "/:tenant", "/consoles"] }', []],
  [
    'content: { root: /srv/app, route: ["/", "/console/:tab"] }',
    ['console.path: /console hides the page /console/:tab of content.route'],
  ],
  [
    `content: { root: ${import.meta.dirname}/.. }\nconsole: { path: /bin }`,
    [`console.path: /bin hides "${join(import.meta.dirname, '../bin')}" of content.root`],
  ],
  [
    'backend: { target: "http://127.0.0.1:1", proxypath: /console/gateway/x }',
    ['console.path: /console overlaps with the proxypath /console/gateway/x of a backend'],
  ],
  [
    'console: { path: /api/console }\nbackend: { target: "http://127.0.0.1:1", proxypath: /api }',
    ['console.path: /api/console overlaps with the proxypath /api of a backend'],
  ],
  ['console: { path: /session }', ['console.path: /session is a path of the web front itself']],
  ['console: { path: /docs }', ['console.path: /docs is a path of the web front itself']],
])('the console has a path of its own: %s', (front, mistakes) => {
  expect(mistakesOf(front)).toEqual(mistakes.map((mistake) => `${mistake}; ${wayOut}`))
})

test('the console needs an address of the gateway that can be forwarded to', () => {
  expect(mistakesOf('gateway: { url: "http://127.0.0.1:1/a%2Fb" }')).toEqual([
    'gateway.url: The path of a target must not hold empty segments, dot segments or encoded slashes.',
  ])
})

test('several ways to log in, with the gateway of the backend', () => {
  const {
    providers,
    gateway: address,
    backends,
    surroundings,
  } = settingsOf(`
backend: { target: "http://127.0.0.1:9000", proxypath: /backend }
authentication:
  - { strategy: gateway, label: Staff account, transparentTokens: true }
  - { name: guests, strategy: openid, config: { issuer: "https://login.example.org", clientId: c } }`)
  expect(providers.map(({ name, label, transparentTokens }) => [name, label, transparentTokens])).toEqual([
    ['gateway', 'Staff account', true],
    ['guests', 'guests', false],
  ])
  expect([address, backends?.[0]?.proxyPath, surroundings.backend]).toEqual([
    { address: 'http://127.0.0.1:9000' },
    '/backend',
    '/backend',
  ])
})

const login =
  'authentication: { strategy: openid, config: { issuer: "https://login.example.org", clientId: c } }'

test('several backends, of which the first is shown and leads to the gateway', () => {
  const { backends, surroundings, gateway, session } = settingsOf(
    `
session: { store: redis, secret_file: /run/secrets/session }
${login}
backend:
  - { proxypath: /api, target: "http://127.0.0.1:9000" }
  - { proxypath: /api/orders, target: "https://orders.internal/v1", token: client, tokenHeader: Authorization, identity: jwt }
  - proxypath: /maps
    target: "http://maps.internal:8080"
    token: client
    identity: headers
    rewrite: true
    timeout: 5m
    client: { tokenEndpoint: "https://maps.example/token", clientId: m, clientSecret_file: /run/secrets/maps, scope: read }
  - { proxypath: /own, target: "http://127.0.0.1:1", token: none, identity: jwt, audience: own }`,
    { '/run/secrets/maps': 's\n', '/run/secrets/session': `${'n'.repeat(32)}\n${'o'.repeat(32)}\n` },
  )
  expect([surroundings.backend, gateway?.address, session.secrets]).toEqual([
    '/api',
    'http://127.0.0.1:9000',
    ['n'.repeat(32), 'o'.repeat(32)],
  ])
  const gist = backends?.map(({ proxyPath, target, token, tokenHeader, identity, rewrites, timeouts }) => [
    proxyPath,
    target.origin + target.basePath,
    token?.kind === 'client' ? [token.oauth.server, token.oauth.clientId, token.scopes] : token?.kind,
    tokenHeader,
    identity,
    rewrites,
    timeouts.response,
  ])
  const issuer = 'https://login.example.org'
  const endpoint = 'https://maps.example/token'
  expect(gist).toEqual([
    ['/api', 'http://127.0.0.1:9000', 'user', 'X-Xaas-Auth-Token', undefined, false, 60_000],
    [
      '/api/orders',
      'https://orders.internal/v1',
      [{ kind: 'discovered', issuer }, 'c', []],
      'Authorization',
      { kind: 'jwt', audience: 'https://orders.internal' },
      false,
      60_000,
    ],
    [
      '/maps',
      'http://maps.internal:8080',
      [{ kind: 'given', authorizationEndpoint: endpoint, tokenEndpoint: endpoint }, 'm', ['read']],
      'X-Xaas-Auth-Token',
      { kind: 'headers' },
      true,
      300_000,
    ],
    [
      '/own',
      'http://127.0.0.1:1',
      'none',
      'X-Xaas-Auth-Token',
      { kind: 'jwt', audience: 'own' },
      false,
      60_000,
    ],
  ])
})

test('all mistakes in backends are told at once', () => {
  expect(
    mistakesOf(`
content: { root: /srv/app, route: [/, /pages/x] }
session: { store: sqlite }
backend:
  - { proxypath: /session/x, target: "http://127.0.0.1:1" }
  - { proxypath: /pages, target: "http://127.0.0.1:1//x" }
  - { proxypath: /pages, target: "http://127.0.0.1:1", token: client }
  - { proxypath: /console, target: "http://127.0.0.1:1", identity: jwt }
  - { target: "http://127.0.0.1:1" }
  - { proxypath: /a, target: "http://127.0.0.1:1", token: client, client: { issuer: "http://login.example.org" } }
  - { proxypath: /b }`),
  ).toEqual([
    'backend[2].proxypath: /pages is already that of backend[1]',
    'backend[0].proxypath: /session/x is a path of the web front itself',
    expect.stringMatching(/^backend\[1\]\.target: The path of a target must not hold empty segments/),
    'backend[1].proxypath: /pages hides the page /pages/x of content.route',
    'backend[2].proxypath: /pages hides the page /pages/x of content.route',
    'backend[2].token: “client” needs client.issuer or client.tokenEndpoint, or a login by openid or oauth2',
    'backend[3].identity: “jwt” needs session.secret, from which all nodes derive their key',
    'backend[4].proxypath: missing',
    'backend[5].client.clientId: missing',
    'backend[5].client.issuer: takes an https address; http is only for this machine',
    'backend[6].target: missing',
    'console.path: /console overlaps with the proxypath /console of a backend; choose another path for the console, or false to turn it off',
  ])
})

describe('options that do not go together', () => {
  test.each([
    [
      'authentication: { strategy: gateway }',
      'authentication gateway: needs a gateway; give gateway.url, or backend.target',
    ],
    [
      `authentication: { strategy: gateway, generator: gateway }\n${gateway}`,
      'authentication gateway: the generator “gateway” needs gateway.username, gateway.password and gateway.api_key',
    ],
    [
      `authentication: { strategy: gateway, generator: refresh_token }\n${service}`,
      'authentication gateway: the generator “refresh_token” needs the strategy “openid” or “oauth2”',
    ],
    [
      'authentication: { strategy: openid, config: { issuer: "http://login.example.org", clientId: c } }',
      'authentication openid: config.issuer: takes an https address; http is only for this machine',
    ],
    [
      'authentication: { strategy: openid }',
      'authentication openid: the strategy “openid” needs config.issuer',
    ],
    [
      'authentication: { strategy: oauth2 }',
      'authentication oauth2: the strategy “oauth2” needs config.tokenEndpoint',
    ],
    [
      `authentication: [{ strategy: gateway }, { strategy: gateway }]\n${gateway}`,
      'authentication: several entries have the name gateway; give each its own',
    ],
    [
      `authentication: { strategy: gateway, transparentTokens: true }\n${gateway}`,
      'authentication gateway: transparentTokens needs backend.proxypath',
    ],
    ['backend: { proxypath: /backend }', 'backend.proxypath: needs backend.target'],
    [
      'backend: { proxypath: /session, target: "http://127.0.0.1:1" }',
      'backend.proxypath: /session is a path of the web front itself',
    ],
    [
      'backend: { proxypath: /manage, target: "http://127.0.0.1:1" }',
      'backend.proxypath: /manage is a path of the web front itself',
    ],
  ])('%s', (front, mistake) => {
    expect(mistakesOf(front)).toContain(mistake)
  })
})

test.each([
  [
    'authentication: {}',
    'front.yaml line 3: front.authentication.strategy: missing; it takes openid, oauth2, gateway, or the path of a module such as ./login.mjs',
  ],
  [
    'authentication: [{ strategy: opendi }]',
    'front.yaml line 3: front.authentication[0].strategy: takes openid, oauth2, gateway, or the path of a module such as ./login.mjs, not "opendi"',
  ],
  [
    'authentication: [{ strategy: openid, config: { isuer: x } }]',
    'front.yaml line 3: front.authentication[0].config.isuer: unknown key; did you mean config.issuer?',
  ],
  [
    'authentication: { strategy: openid, config: { clientSecret: a, clientSecret_file: b } }',
    'front.yaml line 3: front.authentication.config.clientSecret and .config.clientSecret_file: give one of them, not both',
  ],
  [
    'authentication: { strategy: openid, config: { clientSecret_file: /nowhere } }',
    'front.yaml line 3: front.authentication.config.clientSecret_file: the file it names cannot be read',
  ],
  [
    'authentication: gateway',
    'front.yaml line 3: front.authentication: takes keys and values, or a list of such entries',
  ],
  [
    'session: { cookie: "a b" }',
    'front.yaml line 3: front.session.cookie: takes a name of letters, digits and “-” that starts with a letter, not "a b"',
  ],
  [
    'session: { afterLogout: //evil.example }',
    'front.yaml line 3: front.session.afterLogout: takes a path that starts with one slash, or an address such as https://www.example.org, not "//evil.example"',
  ],
])('%s is a mistake', (front, mistake) => {
  expect(mistakesOf(front)).toContain(mistake)
})

test('the strategy may stand in a block of its own, or beside the other keys of its provider', () => {
  const expected = settingsOf(`authentication: { strategy: gateway }\n${gateway}`).providers
  for (const front of [
    `config: { authentication: { strategy: gateway } }\n${gateway}`,
    `authentication: { config: { strategy: gateway } }\n${gateway}`,
  ]) {
    expect(settingsOf(front).providers).toEqual(expected)
  }
  expect(() =>
    settingsOf(
      `authentication: { strategy: gateway }\nconfig: { authentication: { strategy: openid } }\n${gateway}`,
    ),
  ).toThrow('give one of them, not both')
  expect(() =>
    settingsOf(`authentication: { strategy: gateway, config: { strategy: openid } }\n${gateway}`),
  ).toThrow('authentication.strategy and .config.strategy: give one of them, not both')
})
