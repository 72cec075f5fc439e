/** What the first page of the console costs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { type ConsoleJourney, startConsoleJourney } from '../support/console-journey.ts'

const most = 250_000

describe.runIf(hasBrowser)('the first page of the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
  })
  afterAll(() => journey?.close())

  test('is less than 250 kB, with all that it loads', async () => {
    const { page } = await journey.open('/')
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(most)
    await page.context().close()
  })
})
