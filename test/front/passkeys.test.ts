/** Logging in at the web front with a passkey. */
import type { Browser, Page as BrowserPage, CDPSession } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { faultsOf } from '../support/page-faults.ts'
import { products } from '../support/products.ts'
import { type PasskeyOptions, SoftwarePasskey } from '../support/software-authenticator.ts'
import { createAccount, logonAs, type TestAccount } from '../support/test-accounts.ts'
import { type Page, TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const minute = 60_000
const refusal =
  'The passkey is not registered here, was removed, or cannot be used now. Try again, or log on with the password.'
let now = Math.ceil(Date.now() / minute) * minute
const clock = () => new Date(now)
let gateway: TestGateway
let front: TestFront
let origin: string
let count = 0

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  gateway = await startGateway()
  front = await startFront(gateway, port)
})

function startGateway(settings: { readonly requiresSecondFactor?: boolean } = {}): Promise<TestGateway> {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  return startTestGateway(product, undefined, {
    ...settings,
    now: clock,
    tokenTtlSeconds: 30 * 86_400,
    relyingParty: { id: 'localhost', origins: [origin] },
  })
}

async function startFront(at: TestGateway, port: number): Promise<TestFront> {
  const service = await createAccount(at, 'front', [{ regex: '/manage/logon-checks', methods: ['POST'] }])
  return startTestFront({
    port,
    gateway: { address: at.url, credentials: async () => service },
    providers: [{ name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: true }],
    now: clock,
  })
}

afterAll(async () => {
  await front?.close()
  await gateway?.close()
})
beforeEach(() => {
  now += 60 * minute
})

interface Person extends TestAccount {
  readonly token: string
}

async function person(at = gateway): Promise<Person> {
  count += 1
  const account = await createAccount(at, `ada${count}`, [])
  return { ...account, token: await logonAs(at, account) }
}

const begin = ({ token, password }: Person, at = gateway) =>
  at.request('POST', '/whoami/passkeys/options', { token, body: { password } })
const register = ({ token }: Person, credential: object, at = gateway) =>
  at.request('POST', '/whoami/passkeys', { token, body: { name: 'Laptop', credential } })

async function personWithPasskey(at = gateway) {
  const ada = await person(at)
  const passkey = new SoftwarePasskey(origin)
  const begun = (await begin(ada, at)).body as PasskeyOptions
  expect((await register(ada, passkey.create(begun), at)).status).toBe(201)
  return { ada, passkey }
}

const stateIn = ({ text }: Page) => /name="state" value="([^"]+)"/.exec(text)?.[1] ?? ''
const alertIn = ({ text }: Page) => /role="alert"[^>]*>(.*?)<\/p>/.exec(text)?.[1]

async function askedBy(browser: TestBrowser): Promise<PasskeyOptions> {
  const { status, body, headers } = await browser.get('/auth/gateway/passkey')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  return body as PasskeyOptions
}

const send = (browser: TestBrowser, page: Page, passkey: string) =>
  browser.request('/auth/gateway', {
    form: { state: stateIn(page), username: '', password: '', passkey },
  })

test('the form takes the answer of an authenticator, without a username', async () => {
  const { ada, passkey } = await personWithPasskey()
  const browser = new TestBrowser(front.url)
  const page = await browser.get('/auth/gateway?returnTo=/%3Fa%3Db')
  expect(page.text).toContain('data-options="/auth/gateway/passkey" hidden>Use a passkey</button>')
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const answer = JSON.stringify(passkey.get(await askedBy(browser)))
  const entered = await send(browser, page, answer)
  expect([entered.status, entered.location]).toEqual([303, '/?a=b'])
  expect((await browser.get('/session')).body.auth.account_id).toBe(ada.username)
  // What was sent once is good for nothing, in another browser either.
  const other = new TestBrowser(front.url)
  const again = await send(other, await other.get('/auth/gateway'), answer)
  expect([again.status, alertIn(again)]).toEqual([401, refusal])
})

test('what is wrong is said at the form, and the next try works', async () => {
  const { ada, passkey } = await personWithPasskey()
  const browser = new TestBrowser(front.url)
  let page = await browser.get('/auth/gateway')
  const foreign = passkey.get(await askedBy(browser), { origin: 'https://evil.example' })
  page = await send(browser, page, JSON.stringify(foreign))
  expect([page.status, alertIn(page)]).toEqual([
    401,
    `Passkeys work at ${origin}, not at the origin &#34;https://evil.example&#34;. An operator can add it to passkey_origins.`,
  ])
  const unreadable = [
    '{',
    '{"__proto__":1}',
    '{"id":"a","id":"b"}',
    '['.repeat(65) + ']'.repeat(65),
    '"'.repeat(5000),
  ]
  // The last is too long for the gateway, which gets its numbers in full.
  const notTaken = ['null', '[]', '{"id":1}', '"text"', `[${'1e20,'.repeat(2000)}0]`]
  for (const odd of [...unreadable, ...notTaken]) {
    page = await send(browser, page, odd)
    expect([page.status, alertIn(page)]).toEqual([401, 'The passkey was not accepted.'])
  }
  const late = JSON.stringify(passkey.get(await askedBy(browser)))
  now += 5 * minute
  page = await send(browser, page, late)
  expect([page.status, alertIn(page)]).toEqual([401, 'The passkey was asked for too long ago. Try again.'])
  await gateway.request('PATCH', `/manage/accounts/${ada.username}`, { body: { disabled: true } })
  page = await send(browser, page, JSON.stringify(passkey.get(await askedBy(browser))))
  expect([page.status, alertIn(page)]).toEqual([401, refusal])
  await gateway.request('PATCH', `/manage/accounts/${ada.username}`, { body: { disabled: false } })
  page = await send(browser, page, JSON.stringify(passkey.get(await askedBy(browser))))
  expect(page.status).toBe(303)
})

test('where a second factor is required, the password says that the passkey is needed', async () => {
  const strict = await startGateway({ requiresSecondFactor: true })
  onTestFinished(() => strict.close())
  const strictFront = await startFront(strict, await freePort())
  onTestFinished(() => strictFront.close())
  const { ada, passkey } = await personWithPasskey(strict)
  const browser = new TestBrowser(strictFront.url)
  const page = await browser.get('/auth/gateway')
  const { username, password } = ada
  const asked = await browser.request('/auth/gateway', {
    form: { state: stateIn(page), username, password },
  })
  expect([asked.status, alertIn(asked)]).toEqual([
    401,
    'This account needs its passkey: the password alone is not enough. If the device is lost, ask an administrator to remove the passkey.',
  ])
  const entered = await send(browser, asked, JSON.stringify(passkey.get(await askedBy(browser))))
  expect(entered.status).toBe(303)
})

test('a form of another site is refused', async () => {
  const { passkey } = await personWithPasskey()
  const browser = new TestBrowser(front.url)
  const page = await browser.get('/auth/gateway')
  const answer = await browser.request('/auth/gateway', {
    form: { state: stateIn(page), passkey: JSON.stringify(passkey.get(await askedBy(browser))) },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(answer.status).toBe(403)
})

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  /** A page with an authenticator in its device, which verifies its user. */
  async function openPage(bypassCSP = false): Promise<{ page: BrowserPage; cdp: CDPSession; id: string }> {
    const context = await browser.newContext({ bypassCSP })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return { page, cdp, id }
  }

  /** Registers a passkey by the script of a page, as an application may. */
  async function registerIn(page: BrowserPage, ada: Person): Promise<void> {
    await page.goto(`${origin}/`)
    const { options } = (await begin(ada)).body as PasskeyOptions
    const credential = await page.evaluate<object>(`(async () => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
      return (await navigator.credentials.create({ publicKey })).toJSON()
    })()`)
    expect((await register(ada, credential)).status).toBe(201)
  }

  test('the button logs in; axe finds no fault', async () => {
    const ada = await person()
    // axe is a script of the test.
    const { page, cdp, id } = await openPage(true)
    await registerIn(page, ada)
    const { complaints, strangers } = watchPage(page, origin)
    // Nobody touches it before the button.
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
    await page.goto(`${origin}/auth?returnTo=/%3Fa%3Db`)
    const button = page.getByRole('button', { name: 'Use a passkey' })
    await button.waitFor()
    expect(await faultsOf(page, 'passkey-form')).toEqual([])
    expect([complaints, strangers]).toEqual([[], []])
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: true })
    await button.click()
    await page.waitForURL(`${origin}/?a=b`)
    const session = await page.evaluate<{ auth: { account_id: string } }>(
      `fetch('/session').then((response) => response.json())`,
    )
    expect(session.auth.account_id).toBe(ada.username)
  })

  test('a person who does not unlock the passkey can try again, or use the password', async () => {
    const ada = await person()
    // axe is a script of the test.
    const { page, cdp, id } = await openPage(true)
    await registerIn(page, ada)
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false })
    await page.goto(`${origin}/auth`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used. Try again, or log in with the password.').waitFor()
    expect(await faultsOf(page, 'passkey-not-used')).toEqual([])
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password').fill(ada.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/`)
  })

  test('a password that a person enters counts, although the form kept an old answer', async () => {
    const ada = await person()
    const { page } = await openPage()
    await page.goto(`${origin}/auth`)
    // As browsers keep what fields held when one goes back.
    await page.evaluate(`document.querySelector('[name=passkey]').value = '{"id":"old"}'`)
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password').fill(ada.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/`)
  })

  test('the browser offers the passkey in the field of the username', async () => {
    const ada = await person()
    const { page } = await openPage()
    await registerIn(page, ada)
    const { complaints, strangers } = watchPage(page, origin)
    // The authenticator answers for its user as soon as the form asks.
    await page.goto(`${origin}/auth?returnTo=/%3Fc%3Dd`)
    await page.waitForURL(`${origin}/?c=d`)
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
    expect(strangers).toEqual([])
  })

  test('at another address the page says where passkeys work', async () => {
    const { page } = await openPage()
    await page.goto(`${front.url}/auth`)
    await page.getByText(`Passkeys work at ${origin}, not at this address.`).waitFor()
    expect(await page.getByRole('button', { name: 'Use a passkey' }).isHidden()).toBe(true)
  })
})
