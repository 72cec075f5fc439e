import { createServer, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { runProgram } from '../../src/bin/program.ts'
import { faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { freePort } from '../support/free-port.ts'
import { startOpenidProvider } from '../support/openid-provider.ts'
import { products } from '../support/products.ts'
import { recordedInvocation } from '../support/recorded-invocation.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const callback = 'http://localhost:8080/auth/staff/callback'

/** Runs `gatehouse provider test` with one way to log in. */
async function tested(login: object, front: object = {}, words: readonly string[] = ['staff']) {
  const authentication = { name: 'staff', ...login }
  const config = JSON.stringify({ front: { authentication, ...front } })
  const recorded = recordedInvocation('provider', 'test', ...words, '--config', 'test.json')
  const exitCode = await runProgram({ ...recorded, readText: () => config })
  return { exitCode, lines: recorded.output.join('\n').split('\n'), warned: recorded.errors }
}

const results = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const [, result, step] = /^(ok|failed|unknown) +(\w+):/.exec(line) ?? []
    return result === undefined ? [] : [`${step} ${result}`]
  })

describe('a provider of OpenID Connect', () => {
  const start = async (redirectUris: readonly string[]) => {
    const provider = await startOpenidProvider(() => redirectUris)
    closing.push(() => provider.close())
    const { issuer, clientId, clientSecret } = provider
    return { issuer, clientId, clientSecret }
  }

  test('that is configured as it should be', async () => {
    const config = await start([callback])
    const { exitCode, lines } = await tested({ strategy: 'openid', config })
    expect([exitCode, lines]).toEqual([
      0,
      [
        `        The callback address to register is ${callback}.`,
        `ok      discovery: GET ${config.issuer}/.well-known/openid-configuration`,
        `        The provider is ${config.issuer}.`,
        `ok      keys: GET ${config.issuer}/jwks`,
        '        It has 1 key for signatures.',
        `ok      authorization: GET ${config.issuer}/auth with the callback address ${callback}`,
        '        It redirects back to the callback address, so that is registered.',
        `ok      client: POST ${config.issuer}/token with an invalid code`,
        '        It refuses only the code (invalid_grant), so it accepts the credentials of the client.',
      ],
    ])
  })

  test('that does not know the callback address', async () => {
    const config = await start(['https://app.example.org/auth/staff/callback'])
    const { exitCode, lines } = await tested({ strategy: 'openid', config })
    expect([exitCode, results(lines)]).toEqual([
      1,
      ['discovery ok', 'keys ok', 'authorization failed', 'client ok'],
    ])
    expect(lines.join('\n')).toContain('Register the callback address')
  })

  test('that does not accept the secret', async () => {
    const config = { ...(await start([callback])), clientSecret: 'wrong' }
    const { exitCode, lines } = await tested({ strategy: 'openid', config })
    expect([exitCode, results(lines)]).toEqual([
      1,
      ['discovery ok', 'keys ok', 'authorization ok', 'client failed'],
    ])
    expect(lines.at(-1)).toMatch(
      /The token endpoint answered invalid_client .*Check config\.clientId, config\.clientSecret/,
    )
    expect(lines.join('\n')).not.toContain('wrong')
  })

  test('that does not know the client', async () => {
    const config = { ...(await start([callback])), clientId: 'other' }
    const { lines } = await tested({ strategy: 'openid', config })
    expect(results(lines)).toEqual(['discovery ok', 'keys ok', 'authorization failed', 'client failed'])
    expect(lines.join('\n')).toContain('Check config.clientId')
  })

  test('that names another issuer, or cannot be reached', async () => {
    const config = await start([callback])
    const other = { ...config, issuer: config.issuer.replace('127.0.0.1', 'localhost') }
    const renamed = await tested({ strategy: 'openid', config: other })
    expect([renamed.exitCode, results(renamed.lines)]).toEqual([1, ['discovery failed']])
    expect(renamed.lines.join('\n')).toContain(
      `names the issuer ${config.issuer}. Set config.issuer to exactly`,
    )
    const away = { ...config, issuer: `http://127.0.0.1:${await freePort()}` }
    const gone = await tested({ strategy: 'openid', config: away })
    expect([gone.exitCode, results(gone.lines)]).toEqual([1, ['discovery failed']])
    expect(gone.lines.join('\n')).toContain('ECONNREFUSED')
  })

  test('without keys, at an address of our own', async () => {
    const provider = await startFaultyProvider()
    closing.push(() => provider.close())
    provider.fault = { keys: (response) => response.writeHead(200).end('{"keys":[]}') }
    const { id: clientId, secret: clientSecret } = faultyClient
    const config = { issuer: provider.issuer, clientId, clientSecret }
    const { lines } = await tested({ strategy: 'openid', config }, { base_url: 'https://app.example.org' })
    expect(results(lines).slice(0, 3)).toEqual(['discovery ok', 'keys failed', 'authorization ok'])
    expect(lines[0]).toContain('https://app.example.org/auth/staff/callback')
  })
})

describe('a provider of OAuth 2.0', () => {
  /** It answers as GitHub does, at an address for codes and one for tokens. */
  async function startHub(token: object, authorize: (response: ServerResponse) => void) {
    const server = createServer((request, response) => {
      request.resume()
      if (request.url?.startsWith('/authorize')) return authorize(response)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    return {
      clientId: 'Iv1.01',
      clientSecret: 'x',
      authorizationEndpoint: `${url}/authorize`,
      tokenEndpoint: `${url}/token`,
      userinfoEndpoint: `${url}/user`,
    }
  }
  const toLogin = (response: ServerResponse) => {
    response.writeHead(302, { location: '/login?return_to=x' }).end()
  }
  const page = (status: number, body: string) => (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body)
  }
  const google = Buffer.from('\n\u0015redirect_uri_mismatch\u0012').toString('base64')

  test.each<[string, object, (response: ServerResponse) => void, readonly string[]]>([
    ['asks for a login', { error: 'bad_verification_code' }, toLogin, ['authorization unknown', 'client ok']],
    [
      'knows no such client',
      { error: 'incorrect_client_credentials' },
      page(404, 'Not Found'),
      ['authorization failed', 'client failed'],
    ],
    [
      'knows no such callback address',
      { error: 'redirect_uri_mismatch' },
      page(200, '<body>AADSTS50011: The redirect URI does not match</body>'),
      ['authorization failed', 'client failed'],
    ],
    [
      'has an error page',
      { error: 'invalid_request' },
      (response) => {
        response.writeHead(302, { location: `/signin/oauth/error?authError=${google}` }).end()
      },
      ['authorization failed', 'client unknown'],
    ],
    ['fails', {}, page(500, ''), ['authorization failed', 'client failed']],
  ])('that %s', async (_what, token, authorize, expected) => {
    const config = await startHub(token, authorize)
    const { lines, exitCode } = await tested({ strategy: 'oauth2', config })
    expect(results(lines)).toEqual(expected)
    expect(exitCode).toBe(expected.some((line) => line.endsWith('failed')) ? 1 : 0)
  })
})

test('the roles at the gateway are checked as well', async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  const gateway = await startTestGateway(product)
  closing.push(() => gateway.close())
  const password = 'a long pass phrase'
  const post = (path: string, body: object) => gateway.request('POST', path, { body })
  const authorities = [{ regex: '/manage/(tokens|accounts)', methods: ['POST'] }]
  await post('/manage/roles', { name: 'service', authorities, gives: [] })
  const made = await post('/manage/accounts', { username: 'front', password, role: 'service' })
  const { api_key } = made.body as Record<string, string>
  const provider = await startFaultyProvider()
  closing.push(() => provider.close())
  const { id: clientId, secret: clientSecret } = faultyClient
  const login = {
    strategy: 'openid',
    generator: 'gateway',
    config: { issuer: provider.issuer, clientId, clientSecret },
  }
  const front = { gateway: { url: gateway.url, username: 'front', password, api_key, role: 'misspelt' } }
  const { exitCode, lines } = await tested(login, front, [])
  expect([exitCode, lines.slice(-2)]).toEqual([
    1,
    [
      `failed  gateway: ${gateway.url}, with the account of the web front`,
      '        No one can log in with the role "misspelt": it does not exist at the gateway. Create it there, or correct gateway.role and account.roles.',
    ],
  ])
})

test.each([
  [['nobody'], 'provider: takes the name of a way to log in (staff), not "nobody"'],
  [['staff', 'other'], 'provider: takes “test” and the name of a provider'],
])('%j is refused', async (words, sentence) => {
  const login = { strategy: 'openid', config: { issuer: 'http://127.0.0.1:1', clientId: 'x' } }
  const { exitCode, warned } = await tested(login, {}, words)
  expect([exitCode, warned.join('\n')]).toEqual([2, expect.stringContaining(sentence)])
})
