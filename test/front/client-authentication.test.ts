import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { faultyLogin, frontWith, lastFailure, logInWith, textOf } from '../support/faulty-login.ts'
import { type FaultyProvider, startFaultyProvider } from '../support/faulty-provider.ts'

let provider: FaultyProvider
beforeAll(async () => {
  provider = await startFaultyProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.fault = {}
  provider.requests.length = 0
})

const odd = { clientId: 'Iv1.0123-web_front', clientSecret: 'a_b~c.d' }
const tokenRequests = () => provider.requests.filter(({ path }) => path === '/token')
const waysUsed = () =>
  tokenRequests().map(({ authorization, body }) =>
    authorization.startsWith('Basic ')
      ? 'basic'
      : body.includes('client_assertion=')
        ? 'assertion'
        : body.includes('client_secret=')
          ? 'post'
          : 'none',
  )
const announcing = (...methods: readonly string[]) => ({
  discovery: { token_endpoint_auth_methods_supported: methods },
})
const refusingBasic = ({ authorization }: { readonly authorization: string }) =>
  authorization === '' ? undefined : { error: 'invalid_client' }

test('ids and secrets of letters, digits, “-”, “_”, “.” and “~” are sent as they are', async () => {
  const front = await frontWith(faultyLogin(provider, { oauth: odd }))
  await logInWith(front, provider)
  const [request] = tokenRequests()
  const [, credentials = ''] = request?.authorization.split(' ') ?? []
  expect(Buffer.from(credentials, 'base64').toString()).toBe('Iv1.0123-web_front:a_b~c.d')
})

test('other characters are encoded, as RFC 6749 asks', async () => {
  const front = await frontWith(faultyLogin(provider, { oauth: { clientSecret: 'a:b+c/d é%' } }))
  await logInWith(front, provider)
  const [, credentials = ''] = tokenRequests()[0]?.authorization.split(' ') ?? []
  const [id, secret = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  expect([id, new URLSearchParams(`s=${secret}`).get('s')]).toEqual(['client', 'a:b+c/d é%'])
})

describe('the client authenticates as the provider announces', () => {
  test.each([
    [['client_secret_basic', 'client_secret_post'], 'basic'],
    [['client_secret_post', 'private_key_jwt'], 'post'],
    [['client_secret_jwt'], 'assertion'],
    [['private_key_jwt'], 'basic'],
  ])('%j: %s', async (methods, way) => {
    const front = await frontWith(faultyLogin(provider))
    const { page } = await logInWith(front, provider, announcing(...methods))
    expect([page.status, waysUsed()]).toEqual([303, [way]])
  })

  test('unless the configuration says how', async () => {
    const front = await frontWith(faultyLogin(provider, { oauth: { clientAuthentication: 'post' } }))
    const { page } = await logInWith(front, provider, announcing('client_secret_basic'))
    expect([page.status, waysUsed()]).toEqual([303, ['post']])
  })

  test('and a public client not at all', async () => {
    const login = faultyLogin(provider)
    const { strategy } = login
    if (!('oauth' in strategy)) throw new Error('It is a login by OpenID Connect.')
    const { clientSecret: _secret, ...oauth } = strategy.oauth
    const front = await frontWith({ ...login, strategy: { ...strategy, oauth } })
    await logInWith(front, provider)
    expect(waysUsed()).toEqual(['none'])
    expect(tokenRequests()[0]?.body).toContain('client_id=client')
  })
})

describe('a provider that refuses the credentials', () => {
  test.each([['invalid_client'], ['unauthorized_client'], ['incorrect_client_credentials']])(
    'with %s is asked in the other way, which is remembered',
    async (error) => {
      const front = await frontWith(faultyLogin(provider))
      const refuses = ({ authorization }: { readonly authorization: string }) =>
        authorization === '' ? undefined : { error, challenge: true as const }
      const pages = [
        (await logInWith(front, provider, { refuses })).page,
        (await logInWith(front, provider, { refuses })).page,
      ]
      expect(pages.map(({ status }) => status)).toEqual([303, 303])
      expect(waysUsed()).toEqual(['basic', 'post', 'post'])
    },
  )

  test('is not asked in a way that it does not announce', async () => {
    const front = await frontWith(faultyLogin(provider))
    const fault = { ...announcing('client_secret_basic'), refuses: refusingBasic }
    expect((await logInWith(front, provider, fault)).page.status).toBe(503)
    expect(waysUsed()).toEqual(['basic'])
  })

  test.each([
    [{ status: 401, challenge: true as const }],
    [{ status: 401 }],
    [{ status: 400 }],
    [{ status: 200 }],
  ])('in both ways: the page and the log name the credentials (%j)', async (answer) => {
    const front = await frontWith(faultyLogin(provider))
    const refuses = () => ({ error: 'invalid_client', ...answer })
    const { page } = await logInWith(front, provider, { refuses })
    expect(page.status).toBe(503)
    expect(textOf(page.text)).toContain(
      'The login provider does not accept the client credentials of this application. Please tell your administrator.',
    )
    expect(lastFailure(front.events)).toBe(
      'The token endpoint answered invalid_client (“It is not right”). Check config.clientId, config.clientSecret (or config.clientKey) and config.clientAuthentication.',
    )
    expect(waysUsed()).toEqual(['basic', 'post'])
  })
})

describe('a client with a private key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const assertions = () =>
    tokenRequests().map(({ body }) => new URLSearchParams(body).get('client_assertion') ?? '')
  const frontWithKey = (clientKey: string) => {
    const login = faultyLogin(provider, { oauth: { clientKey } })
    return frontWith(login)
  }

  test('sends a signed assertion, and no secret', async () => {
    const front = await frontWithKey(pem)
    expect((await logInWith(front, provider)).page.status).toBe(303)
    const [assertion = ''] = assertions()
    const key = await importJWK(publicKey.export({ format: 'jwk' }), 'ES256')
    const { payload, protectedHeader } = await jwtVerify(assertion, key)
    expect(protectedHeader).toEqual({ alg: 'ES256' })
    expect(payload).toMatchObject({ iss: 'client', sub: 'client', aud: provider.issuer })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(60)
    expect(tokenRequests()[0]?.body).not.toContain('client_secret=')
  })

  test('names a key by the kid of its JWK', async () => {
    const front = await frontWithKey(JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'k-1' }))
    expect((await logInWith(front, provider)).page.status).toBe(303)
    const [header = ''] = (assertions()[0] ?? '').split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'ES256', kid: 'k-1' })
  })

  test('names the token endpoint as the audience if the issuer is refused', async () => {
    const front = await frontWithKey(pem)
    const refuses = ({ body }: { readonly body: string }) => {
      const { aud } = decodeJwt(new URLSearchParams(body).get('client_assertion') ?? '')
      return aud === `${provider.issuer}/token` ? undefined : { error: 'invalid_client' }
    }
    expect((await logInWith(front, provider, { refuses })).page.status).toBe(303)
    expect((await logInWith(front, provider, { refuses })).page.status).toBe(303)
    expect(assertions().map((assertion) => decodeJwt(assertion).aud)).toEqual([
      provider.issuer,
      `${provider.issuer}/token`,
      `${provider.issuer}/token`,
    ])
  })

  test.each([
    'not a key',
    '{"kty":"oct","k":"AAAA"}',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
  ])('that cannot be read lets nobody in: %j', async (key) => {
    const front = await frontWithKey(key)
    const { page } = await logInWith(front, provider)
    expect(page.status).toBe(503)
    expect(lastFailure(front.events)).toMatch(/^config\.clientKey cannot be read as a private key \(\w+\)\./)
    expect(lastFailure(front.events)).not.toContain('AAAA')
  })
})
