/** One's own account in the console: password, API keys, sessions. */
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

describe.runIf(hasBrowser)('the own account in the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
    await journey.addAccount('robin', [])
  })
  afterAll(() => journey?.close())

  const logon = async (apiKey: string, secret: string) => {
    const response = await fetch(`${journey.program.url}/logon`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xaas-api-key': apiKey },
      body: JSON.stringify({ username: 'robin', password: secret }),
    })
    return response.status
  }

  test('an account without any rights makes and revokes a key', async () => {
    const { page, mistakes } = await journey.open('/', { account: 'robin' })
    await page.getByRole('button', { name: 'Account robin' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByRole('cell', { name: 'Never' }).first().waitFor()
    await keepPicture(page, 'account')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('laptop')
    await dialog.getByRole('button', { name: 'Show as' }).click()
    const shown = page.getByRole('dialog', { name: 'The same without the console' })
    await shown.getByText('/whoami/api-keys').waitFor()
    await expectAccessible(page)
    await shown.getByRole('button', { name: 'Close' }).click()
    await shown.waitFor({ state: 'detached' })
    await dialog.getByLabel('Your password').fill('not my pass phrase')
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await dialog.getByText('This is not the password of your account.').waitFor()
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    const made = await page.getByRole('status').locator('code').textContent()
    expect(await logon(made ?? '', password)).toBe(200)

    await page.getByRole('button', { name: 'Revoke the key laptop' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke the key laptop' }).waitFor({ state: 'detached' })
    expect(await logon(made ?? '', password)).toBe(401)
    expectQuiet(mistakes, /status of 422/)
    await page.context().close()
  })

  test('a menu is opened by keyboard, gives the focus back, and changes the language', async () => {
    const { page, mistakes } = await journey.open('/')
    const button = page.getByRole('button', { name: 'Language' })
    const isFocused = () => button.evaluate((element) => element === element.ownerDocument.activeElement)
    for (const _ of ['loaded', 'there']) {
      await button.press('Enter')
      const menu = page.getByRole('menu')
      await expect
        .poll(() => menu.evaluate((element) => element.contains(element.ownerDocument.activeElement)))
        .toBe(true)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      await expect.poll(isFocused).toBe(true)
      await expectAccessible(page)
    }
    await button.click()
    await page.getByRole('menuitem', { name: '日本語' }).click()
    await page.getByRole('heading', { level: 1, name: '概要' }).waitFor()
    await page.getByRole('link', { name: 'ロール', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'ロール' }).waitFor()
    await expect.poll(() => page.getByText(/^\w+\.\w+$/).count()).toBe(0)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const { page, mistakes } = await journey.open('/account', {
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page.getByRole('heading', { name: 'マイアカウント' }).waitFor()
    await page.getByRole('rowheader', { name: 'default' }).waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('changes the password, and logs out everywhere else', async () => {
    const { page } = await journey.open('/account', { account: 'robin' })
    const other = await journey.open('/account', { account: 'robin', isNewLogin: true })
    const third = await journey.open('/account', { account: 'robin', isNewLogin: true })
    await page.reload()
    await page.getByRole('button', { name: 'Log out there' }).first().click()
    await page.getByRole('button', { name: 'Log out everywhere else' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('button', { name: 'Log out there' }).count()).toBe(1)

    const next = 'another pass phrase'
    await page.getByLabel('Current password').fill(password)
    await page.getByLabel(/^New password( \*)?$/).fill(next)
    await page.getByLabel('New password again').fill('something else')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The two new passwords are different.').waitFor()
    await page.getByLabel('New password again').fill(next)
    await page.keyboard.press('Enter')
    await page.getByText('Your password is changed.').waitFor()
    await page.getByText('Another browser').waitFor({ state: 'detached' })
    for (const ended of [other, third]) {
      await ended.page.reload()
      await ended.page.getByRole('heading', { name: 'Log in' }).waitFor()
    }
    await page.getByRole('button', { name: 'Account robin' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
  })
})
