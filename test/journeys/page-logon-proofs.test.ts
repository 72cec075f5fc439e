/** Logging on at the gateway's own pages with a passkey, and setting up a second factor there. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { faultsOf } from '../support/page-faults.ts'
import { docsFolder } from '../support/page-folders.ts'
import { products } from '../support/products.ts'
import type { PasskeyOptions } from '../support/software-authenticator.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

describe.runIf(hasBrowser)('the form of the pages', () => {
  const mayRead = [{ regex: '/openapi.json|/docs', methods: ['GET'] }]
  let gateway: TestGateway
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    const port = await freePort()
    origin = `http://localhost:${port}`
    gateway = await startTestGateway(product, undefined, {
      port,
      docsFolder,
      pageLogon: true,
      requiresSecondFactor: true,
      relyingParty: { id: 'localhost', origins: [origin] },
    })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })

  async function openPage(bypassCSP = false): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ bypassCSP })
    onTestFinished(() => context.close())
    return { context, page: await context.newPage() }
  }

  async function enterPassword(page: Page, username: string): Promise<void> {
    await page.goto(`${origin}/docs`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill('a long pass phrase')
    await page.keyboard.press('Enter')
  }

  test('sets up a required second factor, and shows the recovery codes once', async () => {
    await createAccount(gateway, 'ada', mayRead)
    const { page } = await openPage()
    const { complaints, strangers } = watchPage(page, origin)
    await enterPassword(page, 'ada')
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
    await page.getByLabel('Code').fill(oneTimeCode(secret, new Date()))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
    await expect.poll(() => page.locator('li code').count()).toBe(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Log off' }).waitFor()
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([])
    expect(strangers).toEqual([])
  })

  test('axe finds no fault where it is set up', async () => {
    await createAccount(gateway, 'ben', mayRead)
    const { page } = await openPage(true)
    await enterPassword(page, 'ben')
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
    expect(await faultsOf(page, 'page-second-factor')).toEqual([])
  })

  test('a passkey is enough', async () => {
    const account = await createAccount(gateway, 'kim', mayRead)
    const token = await logonAs(gateway, account)
    const { context, page } = await openPage(true)
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${origin}/docs`)
    const button = page.getByRole('button', { name: 'Use a passkey' })
    await button.waitFor()
    expect(await faultsOf(page, 'page-passkey')).toEqual([])
    await button.click()
    await page.getByRole('alert').filter({ hasText: 'No passkey was used.' }).waitFor()
    const own = (path: string, body: object) =>
      gateway.request('POST', `/whoami/passkeys${path}`, { token, body })
    const { options } = (await own('/options', { password: account.password })).body as PasskeyOptions
    const credential = await page.evaluate<object>(`(async () => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
      return (await navigator.credentials.create({ publicKey })).toJSON()
    })()`)
    expect((await own('', { name: 'Laptop', credential })).status).toBe(201)
    await button.click()
    await page.getByRole('button', { name: 'Log off' }).waitFor()
    await page.getByText('kim', { exact: true }).waitFor()
  })

  test('at another address the form says where passkeys work', async () => {
    const { page } = await openPage()
    await page.goto(`${gateway.url}/docs`)
    await page.getByText(`Passkeys work at ${origin}, not at this address.`).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
  })
})
