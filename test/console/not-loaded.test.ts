/** The console while its web front does not respond: what was there stays, and goes on when it responds again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  keepPicture,
  startConsoleJourney,
} from '../support/console-journey.ts'

describe.runIf(hasBrowser)('parts of the console that cannot be loaded', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
  })
  afterAll(() => journey?.close())

  test('dialogs stay closed, pages say why, and both are there when the web front responds again', async () => {
    const { page } = await journey.open('/roles', { isNewLogin: true })
    await page.getByRole('link', { name: 'web-front' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: /^Search/ }).click()
    await page.getByRole('alert').getByText('The web front does not respond').waitFor()
    await page.getByRole('link', { name: 'web-front' }).waitFor()
    await page.getByRole('button', { name: 'Account admin' }).click()
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await page.getByRole('link', { name: 'Status', exact: true }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'A part of the console could not be loaded' })
    await failure.waitFor()
    await keepPicture(page, 'not-loaded')
    await expectAccessible(page)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').filter({ hasText: 'The gateway cannot be reached' }).waitFor()

    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Roles', exact: true }).click()
    await page.getByRole('link', { name: 'web-front' }).waitFor()
    await page.getByRole('link', { name: 'Status', exact: true }).click()
    await page.getByRole('heading', { name: 'Requests per second' }).waitFor()
    await page.getByRole('button', { name: 'Account admin' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog')
      .getByRole('option')
      .or(page.getByRole('dialog').getByRole('button'))
      .first()
      .waitFor()
    await page.context().close()
  })

  test('an editor that cannot be loaded leaves the rest of its form alone', async () => {
    const { page } = await journey.open('/accounts', { isNewLogin: true })
    await page.getByRole('link', { name: 'web-front' }).waitFor()
    await page.route(/code-mirror/, (route) => route.abort())
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Username' }).fill('newcomer')
    const failure = page.getByRole('alert').filter({ hasText: 'A part of the console could not be loaded' })
    await failure.waitFor()
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('textbox', { name: 'Metadata' }).fill('{}')
    expect(await page.getByRole('textbox', { name: 'Username' }).inputValue()).toBe('newcomer')
    await page.context().close()
  })
})
