import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { faultyLogin, frontWith, lastFailure, logInWith, textOf } from '../support/faulty-login.ts'
import { type Fault, type FaultyProvider, startFaultyProvider } from '../support/faulty-provider.ts'
import { freePort } from '../support/free-port.ts'
import { TestBrowser } from '../support/test-browser.ts'
import type { TestFront } from '../support/test-front.ts'

let provider: FaultyProvider
beforeAll(async () => {
  provider = await startFaultyProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.fault = {}
})

const now = () => Math.floor(Date.now() / 1000)
const answering =
  (status: number, type: string, body: string) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** What the person reads, and what the operator finds in the log. */
async function told(front: TestFront, fault: Fault): Promise<readonly [number, string, string]> {
  const { page } = await logInWith(front, provider, fault)
  const log = lastFailure(front.events).replaceAll(provider.issuer, 'ISSUER')
  return [page.status, sentenceIn(page.text), log]
}

const sentenceIn = (html: string) =>
  textOf(html)
    .replace(/^You are not logged in /, '')
    .replace(/ Try again Reference: \S+$/, '')

test.each<[string, Fault, number, string, RegExp]>([
  [
    'the person presses cancel',
    { answer: { error: 'access_denied' } },
    403,
    'The login provider did not let you in, or you cancelled the login.',
    /^The authorization endpoint answered access_denied\. If the person did not cancel,/,
  ],
  [
    'consent is missing',
    { answer: { error: 'consent_required' } },
    403,
    'The login provider needs your consent, or wants you to log in there, and was told not to ask you.',
    /^The authorization endpoint answered consent_required\. Remove “prompt” from config\.parameters/,
  ],
  [
    'the scope is unknown',
    { answer: { error: 'invalid_scope', error_description: 'no\u0000such\nscope' } },
    403,
    'The login provider refused the request of this application. Please tell your administrator.',
    /^The authorization endpoint answered invalid_scope \(“no such scope”\)\. Check what the client may do/,
  ],
  [
    'GitHub does not know the callback address',
    { answer: { error: 'redirect_uri_mismatch' } },
    403,
    'The login provider does not know the address of this application. Please tell your administrator.',
    /^The authorization endpoint answered redirect_uri_mismatch\. Register the callback address/,
  ],
  [
    'the token endpoint does not know the callback address',
    {
      token: answering(
        400,
        'application/json',
        '{"error":"invalid_grant","error_description":"redirect_uri differs"}',
      ),
    },
    503,
    'The login provider does not know the address of this application. Please tell your administrator.',
    /^The token endpoint answered invalid_grant \(“redirect_uri differs”\)\. Register the callback address/,
  ],
  [
    'the code was used before',
    { token: answering(400, 'application/json', '{"error":"invalid_grant"}') },
    400,
    'The login provider did not accept this login any more: it took too long, or was used before.',
    /^The token endpoint answered invalid_grant\. If every login fails like this, check the clocks/,
  ],
  [
    'the flow is not allowed',
    { token: answering(400, 'application/json', '{"error":"unsupported_grant_type"}') },
    503,
    'The login provider refused the request of this application. Please tell your administrator.',
    /^The token endpoint answered unsupported_grant_type\. Check what the client may do/,
  ],
  [
    'the provider fails',
    { token: answering(502, 'text/html', '<html>') },
    503,
    'The login provider cannot be reached: it reports an error of its own. Please try again in a moment.',
    /^ISSUER\/token responded with status 502\. The error is at the provider/,
  ],
  [
    'the connection breaks',
    { token: (response) => response.destroy() },
    503,
    'The login provider cannot be reached. Please try again in a moment.',
    /^ISSUER\/token: .*other side closed.*\. Check the address in the configuration/,
  ],
  [
    'the token endpoint is a page',
    { token: answering(200, 'text/html', '<html>') },
    400,
    'The login provider’s response is not valid.',
    /^The provider’s response: .*content-type.*\. Check the endpoints in the configuration/,
  ],
  [
    'a clock is wrong',
    { claims: { exp: now() - 300 } },
    400,
    'The clocks of the login provider and of this application differ. Please tell your administrator.',
    /^The provider’s response: .*"exp".*\. Set the clocks of both machines; a difference of 30 seconds is tolerated\.$/,
  ],
  [
    'the issuer in the token is another one',
    { claims: { iss: 'https://evil.example' } },
    400,
    'The login provider’s response does not belong to this login, so it was not accepted.',
    /^The provider’s response: .*"iss".*\. Check config\.issuer and config\.clientId\./,
  ],
  [
    'the token is not signed by a known key',
    { signature: 'unknown key' },
    400,
    'The login provider’s response could not be verified, so it was not accepted.',
    /^The provider’s response: .*signature.*\. The ID token needs an asymmetric signature/,
  ],
  [
    'the subject is missing in the userinfo',
    { userinfo: { sub: 'eve' } },
    400,
    'The login provider’s response does not belong to this login, so it was not accepted.',
    /^The provider’s response: .*"sub".*/,
  ],
])('if %s', async (_what, fault, status, person, log) => {
  const front = await frontWith(faultyLogin(provider))
  const [was, sentence, logged] = await told(front, fault)
  expect([was, sentence]).toEqual([status, person])
  expect(logged).toMatch(log)
})

test('a claim that is missing is named', async () => {
  const mapping = { accountId: 'employee', displayName: 'name', avatar: 'picture', properties: [] }
  const front = await frontWith(faultyLogin(provider, { strategy: { mapping } }))
  const [status, sentence, log] = await told(front, {})
  expect([status, sentence]).toEqual([
    403,
    'The login provider does not say which account is yours. The claim “employee” is missing.',
  ])
  expect(log).toContain('Check account.account_id')
})

describe('discovery', () => {
  const wrong = 'The login provider is not configured correctly here. Please tell your administrator.'
  const begin = async (issuer: string) => {
    const front = await frontWith(faultyLogin({ issuer }))
    const page = await new TestBrowser(front.front.baseUrl).get('/auth/faulty')
    return [page.status, sentenceIn(page.text), lastFailure(front.events)] as const
  }

  test.each([
    [
      { issuer: 'https://other.example' },
      /names the issuer https:\/\/other\.example\. Set config\.issuer to exactly/,
    ],
    [
      { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
      /names the issuer https:\/\/login\.microsoftonline\.com\/\{tenantid\}\/v2\.0\. Set config\.tenant/,
    ],
    [{ token_endpoint: undefined }, /lacks token_endpoint\. The provider does not support logins/],
  ])('that says %j', async (discovery, log) => {
    provider.fault = { discovery }
    const [status, sentence, logged] = await begin(provider.issuer)
    expect([status, sentence]).toEqual([503, wrong])
    expect(logged).toMatch(log)
  })

  test('at a wrong path', async () => {
    const [status, sentence, log] = await begin(`${provider.issuer}/nowhere`)
    expect([status, sentence]).toEqual([503, wrong])
    expect(log).toBe(
      `Discovery at ${provider.issuer}/nowhere: the status of the response is not 200. Check config.issuer: the provider’s metadata is at its address + /.well-known/openid-configuration.`,
    )
  })

  test('at a port where nothing listens', async () => {
    const [status, sentence, log] = await begin(`http://127.0.0.1:${await freePort()}`)
    expect([status, sentence]).toEqual([
      503,
      'The login provider cannot be reached. Please try again in a moment.',
    ])
    expect(log).toMatch(/openid-configuration: .*ECONNREFUSED.*\. Check the address in the configuration/)
  })

  test('at a server that accepts and is silent', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const [status, sentence, log] = await begin(`http://127.0.0.1:${port}`)
    expect([status, sentence]).toEqual([
      503,
      'The login provider does not respond in time. Please try again in a moment.',
    ])
    expect(log).toContain('Check whether the provider is overloaded')
  })
})

describe('a login whose attempt is lost', () => {
  const atCallback = async (front: TestFront) => {
    const browser = new TestBrowser(front.front.baseUrl)
    const { url } = await browser.follow('/auth/faulty', (next) => next.includes('/callback'))
    return { browser, url }
  }

  test('because the cookie did not come back', async () => {
    const front = await frontWith(faultyLogin(provider))
    const { url } = await atCallback(front)
    const page = await new TestBrowser(front.front.baseUrl).get(url)
    expect([page.status, sentenceIn(page.text)]).toEqual([
      400,
      'This login was not started in this browser, or the browser blocks cookies or dropped them. Allow cookies for this site and begin again.',
    ])
    expect(lastFailure(front.events)).toContain('at the host of base_url')
  })

  test('because it took too long', async () => {
    let time = Date.now()
    const front = await frontWith(faultyLogin(provider), { now: () => new Date(time) })
    const { browser, url } = await atCallback(front)
    time += 11 * 60_000
    const page = await browser.get(url)
    expect([page.status, sentenceIn(page.text)]).toEqual([
      400,
      'This login is already finished, or took longer than ten minutes. Please begin again.',
    ])
  })

  test('because there was none', async () => {
    const front = await frontWith(faultyLogin(provider))
    const page = await new TestBrowser(front.front.baseUrl).get('/auth/faulty/callback?error=invalid_request')
    expect([page.status, sentenceIn(page.text)]).toEqual([400, 'No login is under way. Please begin again.'])
    expect(lastFailure(front.events)).toBe(
      'The provider answered invalid_request, without a state. The callback address was opened without a login, for example from a bookmark.',
    )
  })
})
