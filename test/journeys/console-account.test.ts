/** The page for one's own account, in a real browser, as `gatehouse up` serves it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { type StartedProgram, startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const password = 'a long pass phrase'
const apiKey = 'ghk_0123456789012345678901234567890123'

describe.runIf(hasBrowser)('the page for one’s own account', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let program: StartedProgram
  let browser: Browser

  beforeAll(async () => {
    folder = await temporaryFolder()
    program = await startProgram(folder.path, '--admin_password', password, '--admin_api_key', apiKey)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await program?.stop('SIGTERM')
    await folder?.remove()
  })

  const shot = async (page: Page, name: string) => {
    const to = process.env.TEST_SCREENSHOTS
    if (to) await page.screenshot({ path: `${to}/${name}.png`, fullPage: true })
  }

  /** A new browser in which the administrator is at the page. */
  async function open(secret: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options })
    const page = await context.newPage()
    await page.goto(`${program.frontUrl}/#account`)
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(secret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Where you are logged in' }).waitFor()
    await page.getByText('default', { exact: true }).waitFor()
    return page
  }

  const logon = async (key: string, secret: string) => {
    const response = await fetch(`${program.url}/logon`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xaas-api-key': key },
      body: JSON.stringify({ username: 'admin', password: secret }),
    })
    return response.status
  }

  test('makes and ends API keys', async () => {
    const page = await open(password)
    const mistakes = watchPage(page, program.frontUrl)
    await page.getByLabel('Name of the key').fill('laptop')
    await page.getByLabel('Your password').fill('not my pass phrase')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('This is not the password of your account.').waitFor()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    const made = await page.getByRole('status').locator('code').textContent()
    await page.getByRole('button', { name: 'End the key laptop' }).waitFor()
    await shot(page, 'account-1-keys')
    expect(await logon(made ?? '', password)).toBe(200)

    await page.getByRole('button', { name: 'End the key laptop' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'End the key', exact: true }).click()
    await page.getByRole('button', { name: 'End the key laptop' }).waitFor({ state: 'detached' })
    expect(await logon(made ?? '', password)).toBe(401)
    expect(mistakes.strangers).toEqual([])
    await page.getByRole('button', { name: 'Log out here' }).click()
    await page.getByRole('heading', { name: 'You are not logged in' }).waitFor()
    await page.context().close()
  })

  test('changes the password, and logs out everywhere else', async () => {
    const [page, phone, third] = [
      await open(password),
      await open(password, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }),
      await open(password),
    ]
    await shot(phone, 'account-2-phone')
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)

    await page.reload()
    await page.getByRole('button', { name: 'Log out there' }).first().click()
    await page.getByRole('button', { name: 'Log out everywhere else' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Log out there' }).count()).toBe(1)
    const next = 'another pass phrase'
    await page.getByLabel('Current password').fill(password)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('New password again').fill('something else')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The two new passwords are different.').waitFor()
    await page.getByLabel('New password again').fill(next)
    await page.keyboard.press('Enter')
    await page.getByText('Your password is changed. You are logged out everywhere else.').waitFor()
    await page.getByText('Another browser').waitFor({ state: 'detached' })
    await shot(page, 'account-3-changed')
    for (const other of [phone, third]) {
      await other.reload()
      await other.getByRole('heading', { name: 'You are not logged in' }).waitFor()
      await other.context().close()
    }
    await page.getByRole('link', { name: 'Back to the entities' }).click()
    await page.getByRole('heading', { name: 'Entities' }).waitFor()
    expect([await logon(apiKey, password), await logon(apiKey, next)]).toEqual([401, 200])
    await page.context().close()
  })
})
