/** The second factor and passkeys in the console: of one's own account, and as administrators see them. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  password,
  startConsoleJourney,
} from '../support/console-journey.ts'
import { freePort } from '../support/free-port.ts'
import { oneTimeCode } from '../support/one-time-code.ts'

const views = [
  { device: 'desktop', colorScheme: 'light', language: 'en' },
  { device: 'phone', colorScheme: 'dark', language: 'en' },
  { device: 'phone', colorScheme: 'light', language: 'ja' },
  { device: 'desktop', colorScheme: 'dark', language: 'ja' },
] as const

describe.runIf(hasBrowser)('how people prove who they are, in the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney('--front_port', String(await freePort()))
    for (const name of ['robin', 'kim', 'lee']) await journey.addAccount(name, [])
  })
  afterAll(() => journey?.close())

  const dialogOf = (page: Page) => page.getByRole('dialog')
  const headingOf = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

  /** Gives the device of a page an authenticator, which verifies its user. `expectAccessible` would take it away again. */
  async function addAuthenticator(page: Page) {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return {
      refuse: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
      accept: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
    }
  }

  async function setUpFactor(page: Page): Promise<readonly string[]> {
    const dialog = dialogOf(page)
    await page.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor()
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not the code that the authenticator app shows').waitFor()
    await keepPicture(page, 'second-factor-set-up')
    await expectAccessible(page)
    await dialog.getByLabel('Code').fill(oneTimeCode(secret, new Date()))
    await page.keyboard.press('Enter')
    return readCodes(page)
  }

  async function readCodes(page: Page): Promise<readonly string[]> {
    const list = page.getByRole('list', { name: 'Recovery codes' })
    await list.waitFor()
    await keepPicture(page, 'recovery-codes')
    await expectAccessible(page)
    const codes = await list.locator('code').allTextContents()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await list.waitFor({ state: 'detached' })
    return codes
  }

  test('a person sets the second factor up, makes new recovery codes, and turns it off', async () => {
    const { page, mistakes } = await journey.open('/account', { account: 'robin' })
    const dialog = dialogOf(page)
    const codes = await setUpFactor(page)
    expect(new Set(codes).size).toBe(10)
    await page.getByText('10 recovery codes are left.').waitFor()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByLabel('Code').fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    const renewed = await readCodes(page)
    expect(renewed).not.toContain(codes[1])
    await page.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByLabel('Code').fill(codes[1] ?? '')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not the code that the authenticator app shows').waitFor()
    await dialog.getByLabel('Code').fill(renewed[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    expectQuiet(mistakes, /status of 422/)
    await page.context().close()
  })

  test('a passkey is added only when it is known whether a code is asked for', async () => {
    const { page } = await journey.open('/account', { account: 'kim' })
    const known = Promise.withResolvers<void>()
    await page.route('**/whoami/second-factor', async (route) => {
      await known.promise
      await route.continue()
    })
    await page.reload()
    await page.getByText('You have no passkeys.').waitFor()
    const add = page.getByRole('button', { name: 'Add a passkey' })
    expect(await add.count()).toBe(0)
    known.resolve()
    await add.waitFor()
    await page.context().close()
  })

  test('a person adds a passkey, logs in with it, renames and removes it', async () => {
    const { page, mistakes } = await journey.open('/account', { account: 'kim' })
    const dialog = dialogOf(page)
    const device = await addAuthenticator(page)
    await page.getByText('You have no passkeys.').waitFor()
    const guide = await page.getByRole('link', { name: /^Your passkeys stay/ }).getAttribute('href')
    expect((await page.request.get(`${journey.program.frontUrl}${guide}`)).status()).toBe(200)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByLabel('Your password').fill('not my pass phrase')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not the password of your account.').waitFor()
    await device.refuse()
    // The name is refused before the device is asked: it would keep a passkey that no one knows.
    await dialog.getByLabel('Name').fill('Lap\u007ftop')
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByText('A name must not contain control characters').waitFor()
    await dialog.getByLabel('Name').fill('Laptop')
    await page.keyboard.press('Enter')
    await dialog.getByText('No passkey was made. Try again.').waitFor()
    await device.accept()
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: /^Laptop/ }).waitFor()
    await keepPicture(page, 'passkeys')
    // The device has one already.
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name').fill('Again')
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByText('This device or password manager has a passkey of your account already.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.context().clearCookies()
    await page.goto(`${journey.program.frontUrl}/auth?returnTo=/console/account`)
    // The authenticator answers as soon as the form asks.
    await headingOf(page, 'Your account').waitFor()
    await page.getByText('You are logged in as kim.').waitFor()
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click()
    await dialog.getByLabel('Name').fill('Blue key')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the passkey Blue key' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('You have no passkeys.').waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes, /status of (422|404|401)/)
    await page.context().close()
  })

  test('an administrator sees both and removes them; the code of a second factor is asked for', async () => {
    const own = await journey.open('/account', { account: 'lee' })
    const [code = ''] = await setUpFactor(own.page)
    await addAuthenticator(own.page)
    await own.page.getByRole('button', { name: 'Add a passkey' }).click()
    const asked = dialogOf(own.page)
    await asked.getByLabel('Name').fill('Phone')
    await asked.getByLabel('Your password').fill(password)
    await asked.getByLabel('Code').fill(code)
    await own.page.keyboard.press('Enter')
    await own.page.getByRole('rowheader', { name: /^Phone/ }).waitFor()

    for (const [index, view] of views.entries()) {
      const { page, mistakes } = await journey.open('/account', { account: 'lee', ...view })
      await page.getByRole('rowheader', { name: /^Phone/ }).waitFor()
      await page.getByRole('rowheader', { name: /^Phone/ }).scrollIntoViewIfNeeded()
      await keepPicture(page, `account-proofs-${index}`)
      await expectAccessible(page)
      expectQuiet(mistakes)
      await page.context().close()
      const shown = await journey.open('/accounts/named/lee', view)
      await shown.page.getByRole('rowheader', { name: /^Phone/ }).waitFor()
      await shown.page.getByRole('rowheader', { name: /^Phone/ }).scrollIntoViewIfNeeded()
      await keepPicture(shown.page, `administered-proofs-${index}`)
      await expectAccessible(shown.page)
      expectQuiet(shown.mistakes)
      await shown.page.context().close()
    }

    const { page, mistakes } = await journey.open('/accounts/named/lee')
    const dialog = dialogOf(page)
    await page.getByRole('button', { name: 'Remove the second factor of lee' }).click()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove the second factor of lee' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove the passkey Phone' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No passkeys').waitFor()
    const account = await journey.call('GET', '/manage/accounts/lee')
    expect(account).not.toHaveProperty('second_factor')
    expect(account).not.toHaveProperty('passkeys')
    expectQuiet(mistakes)
    await page.context().close()
    await own.page.context().close()
  })

  test('who may only read accounts sees what there is, and no button', async () => {
    await journey.addAccount('reader', [{ regex: '/manage/accounts(/[^/]+)?', methods: ['GET'] }])
    const { page, mistakes } = await journey.open('/accounts/named/kim', { account: 'reader' })
    await headingOf(page, 'Second factor and passkeys').waitFor()
    await page.getByText('No passkeys').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
    expectQuiet(mistakes)
    await page.context().close()
  })
})
