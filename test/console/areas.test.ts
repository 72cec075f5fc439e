/** Each area of the console, opened by its link. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  startConsoleJourney,
} from '../support/console-journey.ts'

describe.runIf(hasBrowser)('the areas of the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
    await journey.addAccount('guest', [])
  })
  afterAll(() => journey?.close())

  test('each of them shows something, without an error, and axe finds no fault', async () => {
    const { page, mistakes } = await journey.open('/')
    const links = page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
    // The areas come with the answer to what the account may call.
    await expect
      .poll(() => links.allTextContents())
      .toEqual(expect.arrayContaining(['Overview', 'Data', 'Entities', 'Roles', 'Status']))
    const names = await links.allTextContents()
    const shownTitle = async () => (await page.getByRole('heading', { level: 1 }).allTextContents()).join()
    for (const name of names.toReversed()) {
      const before = await shownTitle()
      await links.getByText(name, { exact: true }).click()
      await expect.poll(shownTitle).not.toMatch(new RegExp(`^(${before})?$`))
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
      expect([name, await page.getByRole('alert').allTextContents()]).toEqual([name, []])
      await expectAccessible(page)
    }
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('who may nothing sees what everyone may see', async () => {
    const { page, mistakes } = await journey.open('/', { account: 'guest', device: 'phone' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })
})
