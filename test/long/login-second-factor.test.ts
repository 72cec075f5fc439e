/** Logging in at the web front with an account that has a second factor. */
import jsQR from 'jsqr'
import type { Browser, Page as BrowserPage } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { faultsOf } from '../support/page-faults.ts'
import { products } from '../support/products.ts'
import { createAccount, logonAs, type TestAccount } from '../support/test-accounts.ts'
import { type Page, TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const password = 'a long pass phrase'
const minute = 60_000
let now = Math.ceil(Date.now() / minute) * minute
const clock = () => new Date(now)
let gateway: TestGateway
let front: TestFront
let count = 0

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product, undefined, { now: clock, tokenTtlSeconds: 30 * 86_400 })
  const service = await createAccount(gateway, 'front', [
    { regex: '/manage/logon-checks', methods: ['POST'] },
  ])
  front = await startFront(gateway, service)
})
afterAll(async () => {
  await front?.close()
  await gateway?.close()
})
beforeEach(() => {
  now += 60 * minute
})

function startFront({ url }: TestGateway, service: TestAccount): Promise<TestFront> {
  return startTestFront({
    gateway: { address: url, credentials: async () => service },
    providers: [{ name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: true }],
    now: clock,
  })
}

interface Person {
  readonly username: string
  readonly apiKey: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** A person with an active second factor. */
async function person(): Promise<Person> {
  count += 1
  const account = await createAccount(gateway, `ada${count}`, [])
  const token = await logonAs(gateway, account)
  const call = (method: string, body: object) =>
    gateway.request(method, '/whoami/second-factor', { body, token })
  const { secret } = (await call('POST', { password })).body as { readonly secret: string }
  const active = await call('PATCH', { code: oneTimeCode(secret, clock()) })
  const { recovery_codes } = active.body as { readonly recovery_codes: readonly string[] }
  now += minute
  return { ...account, secret, recoveryCodes: recovery_codes }
}

const stateIn = ({ text }: Page) => /name="state" value="([^"]+)"/.exec(text)?.[1] ?? ''
const titleOf = ({ text }: Page) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const alertIn = ({ text }: Page) => /role="alert"[^>]*>(.*?)<\/p>/.exec(text)?.[1]
const send = (browser: TestBrowser, page: Page, form: Readonly<Record<string, string>>) =>
  browser.request('/auth/gateway', { form: { state: stateIn(page), ...form } })

/** Enters the password; the page that follows. */
async function enterPassword(browser: TestBrowser, { username }: Pick<Person, 'username'>): Promise<Page> {
  const page = await browser.get('/auth/gateway?returnTo=/%3Fa%3Db')
  return send(browser, page, { username, password })
}

test('after the right password the form asks for the code, and logs in', async () => {
  const ada = await person()
  const browser = new TestBrowser(front.url)
  const asked = await enterPassword(browser, ada)
  expect([asked.status, titleOf(asked)]).toEqual([200, 'Enter your code'])
  expect(asked.text).toContain(`The account “${ada.username}” has a second factor.`)
  expect(asked.text).toMatch(
    /<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code"[^>]* required autofocus>/,
  )
  expect(asked.text).toContain('href="/auth/gateway?returnTo=%2F%3Fa%3Db"')
  expect(asked.text).not.toContain(password)
  expect(asked.text).not.toContain('challenge')
  expect((await browser.get('/session')).status).toBe(401)
  const entered = await send(browser, asked, { code: oneTimeCode(ada.secret, clock()) })
  expect([entered.status, entered.location]).toEqual([303, '/?a=b'])
  const { body } = await browser.get('/session')
  expect(body.auth.account_id).toBe(ada.username)
})

test('a wrong code is said, and the right one follows; each form is good once', async () => {
  const ada = await person()
  const browser = new TestBrowser(front.url)
  const asked = await enterPassword(browser, ada)
  const again = await send(browser, asked, { code: '000000' })
  expect([again.status, titleOf(again), alertIn(again)]).toEqual([
    401,
    'Enter your code',
    'This code is wrong, was used before, or came more than ten minutes after the password.',
  ])
  expect(again.text).not.toContain('000000')
  const replayed = await send(browser, asked, { code: oneTimeCode(ada.secret, clock()) })
  expect([replayed.status, titleOf(replayed)]).toEqual([400, 'Log in'])
  const entered = await send(browser, again, { code: oneTimeCode(ada.secret, clock()) })
  expect([entered.status, entered.location]).toEqual([303, '/?a=b'])
})

test('the form of one browser is of no use in another', async () => {
  const ada = await person()
  const asked = await enterPassword(new TestBrowser(front.url), ada)
  const other = new TestBrowser(front.url)
  const answer = await send(other, asked, { code: oneTimeCode(ada.secret, clock()) })
  expect([answer.status, titleOf(answer), (await other.get('/session')).status]).toEqual([400, 'Log in', 401])
})

test('a code used here, a wrong password and an old challenge are refused', async () => {
  const ada = await person()
  const browser = new TestBrowser(front.url)
  const code = oneTimeCode(ada.secret, clock())
  expect((await send(browser, await enterPassword(browser, ada), { code })).status).toBe(303)
  const second = new TestBrowser(front.url)
  expect((await send(second, await enterPassword(second, ada), { code })).status).toBe(401)
  const page = await second.get('/auth/gateway')
  const wrong = await send(second, page, { username: ada.username, password: 'wrong password', code })
  expect([wrong.status, titleOf(wrong)]).toEqual([401, 'Log in'])
  const asked = await enterPassword(second, ada)
  now += 9 * minute
  const again = await send(second, asked, { code: '000000' })
  now += 2 * minute
  const late = await send(second, again, { code: oneTimeCode(ada.secret, clock()) })
  expect([late.status, titleOf(late)]).toEqual([401, 'Enter your code'])
})

test('a recovery code logs in, and so does an API key', async () => {
  const ada = await person()
  const browser = new TestBrowser(front.url)
  const [code = ''] = ada.recoveryCodes
  expect((await send(browser, await enterPassword(browser, ada), { code })).status).toBe(303)
  const other = new TestBrowser(front.url)
  const { username, apiKey } = ada
  const form = { username, password, api_key: apiKey }
  expect((await send(other, await other.get('/auth/gateway'), form)).status).toBe(303)
})

test('after ten wrong codes the form says how long to wait', async () => {
  const ada = await person()
  const browser = new TestBrowser(front.url)
  let page = await enterPassword(browser, ada)
  for (let index = 0; index < 10; index++) page = await send(browser, page, { code: '000000' })
  const locked = await send(browser, page, { code: oneTimeCode(ada.secret, clock()) })
  expect([locked.status, alertIn(locked), locked.headers.get('retry-after')]).toEqual([
    429,
    'Too many logins failed. Try again in 60 seconds.',
    '60',
  ])
})

describe('where it is required', () => {
  let strict: TestGateway
  let strictFront: TestFront
  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    strict = await startTestGateway(product, undefined, { now: clock, requiresSecondFactor: true })
    const service = await createAccount(strict, 'front', [
      { regex: '/manage/logon-checks', methods: ['POST'] },
    ])
    strictFront = await startFront(strict, service)
  })
  afterAll(async () => {
    await strictFront?.close()
    await strict?.close()
  })

  test.runIf(hasBrowser)(
    'a person sets it up at the login: the picture has the key, the codes are shown once',
    async () => {
      now = Math.floor(Date.now() / 30_000) * 30_000
      const { username } = await createAccount(strict, 'ada', [])
      const browser = await startBrowser()
      onTestFinished(() => browser.close())
      const context = await browser.newContext({ bypassCSP: true })
      const page = await context.newPage()
      const { baseUrl } = strictFront.front
      await page.goto(`${baseUrl}/auth?returnTo=/%3Fa%3Db&login_hint=${username}`)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
      expect(await faultsOf(page, 'second-factor-set-up')).toEqual([])
      const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
      expect(await readQrCode(page)).toBe(
        `otpauth://totp/Gatehouse:ada?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
      )
      await page.getByLabel('Code').fill('000000')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      expect(((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')).toBe(secret)
      await page.getByLabel('Code').fill(oneTimeCode(secret, clock()))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
      await expect.poll(() => page.locator('li code').count()).toBe(10)
      expect(await faultsOf(page, 'recovery-codes')).toEqual([])
      const [recovery = ''] = await page.locator('li code').allTextContents()
      await page.getByRole('link', { name: 'I have kept them' }).click()
      await page.waitForURL(`${baseUrl}/?a=b`)
      await context.clearCookies()
      await page.goto(`${baseUrl}/auth?login_hint=${username}`)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
      await page.getByLabel('Code').fill(recovery)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${baseUrl}/`)
    },
  )

  test('the page obeys the policy of the forms', async () => {
    const { username } = await createAccount(strict, 'ben', [])
    const browser = new TestBrowser(strictFront.url)
    const page = await enterPassword(browser, { username })
    expect([page.status, titleOf(page)]).toEqual([200, 'Set up a second factor'])
    expect(page.headers.get('content-security-policy')).toContain('img-src data:;')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect((await browser.get('/session')).status).toBe(401)
  })
})

/** What is in the QR code of a page. */
async function readQrCode(page: BrowserPage): Promise<string | undefined> {
  const { pixels, side } = await page.evaluate<{ pixels: number[]; side: number }>(`(() => {
    const side = 400
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
    const context = canvas.getContext('2d')
    context.drawImage(document.querySelector('img'), 0, 0, side, side)
    return { pixels: [...context.getImageData(0, 0, side, side).data], side }
  })()`)
  return jsQR.default(Uint8ClampedArray.from(pixels), side, side)?.data
}

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  test('the two forms work by the keyboard alone, without scripts', async () => {
    const ada = await person()
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const { baseUrl } = front.front
    const { complaints, strangers } = watchPage(page, new URL(baseUrl).origin)
    const focused = (label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor()
    await page.goto(`${baseUrl}/auth?login_hint=${ada.username}`)
    await focused('Password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await focused('Code')
    await page.keyboard.type(oneTimeCode(ada.secret, clock()))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/`)
    expect([complaints, strangers]).toEqual([[], []])
    await context.close()
  })

  test('axe finds no fault, before and after a wrong code; one can start again', async () => {
    const ada = await person()
    const context = await browser.newContext({ bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${front.front.baseUrl}/auth`)
    await page.getByLabel('Username').fill(ada.username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await faultsOf(page, 'second-factor')).toEqual([])
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
    expect(await faultsOf(page, 'second-factor-failed')).toEqual([])
    await page.getByRole('link', { name: 'Start again' }).click()
    await page.getByLabel('Username').waitFor()
    await context.close()
  })
})
