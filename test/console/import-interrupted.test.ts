/** Imports that are interrupted: by the gateway, by the browser, by the network. Each row is there once. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  keepPicture,
  startConsoleOn,
} from '../support/console-journey.ts'
import { mainProduct } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const count = 3000

describe.runIf(hasBrowser).each(mainProduct('PostgreSQL'))(
  'interrupted imports in the console, $name',
  (product) => {
    let journey: ConsoleJourney
    let folder: Awaited<ReturnType<typeof temporaryFolder>>

    beforeAll(async () => {
      folder = await temporaryFolder()
      // Sessions that outlive the program.
      const file = join(folder.path, 'sessions.sqlite')
      journey = await startConsoleOn(product, [], '--session_store', 'sqlite', '--session_file', file)
      // The gateway makes the keys: nothing else keeps a row from being there twice.
      const fields = { local: [field('title', 'string')] }
      await journey.call(
        'POST',
        '/manage/entities',
        ['Killed', 'Closed', 'Offline'].map((name) => definition(name, fields)),
      )
    })
    afterAll(async () => {
      await journey?.close()
      await folder?.remove()
    })

    const titles = Array.from({ length: count }, (_, index) => `Row ${String(index).padStart(4, '0')}`)
    const buffer = Buffer.from(`title\n${titles.join('\n')}\n`)

    async function chooseFile(page: Page): Promise<void> {
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.locator('input[type=file]').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
    }

    /** Imports rows, and does something as soon as the third call is on its way. */
    async function importUntil(page: Page, path: string, interrupt: () => Promise<unknown>): Promise<void> {
      await chooseFile(page)
      await page.getByText('The gateway would take the first 100 rows.').waitFor()
      let calls = 0
      await page.route(`**/gateway${path}`, async (route) => {
        calls += 1
        if (calls === 3) await Promise.all([route.continue(), interrupt()])
        else await route.continue()
      })
      await page.getByRole('button', { name: 'Import 3,000 rows' }).click()
    }

    async function titlesAt(path: string): Promise<readonly string[]> {
      const rows = (await journey.call('GET', `${path}?first=5000`)) as readonly { readonly title: string }[]
      return rows.map(({ title }) => title).toSorted()
    }

    test('a gateway that is killed in the middle: the import goes on when it runs again', async () => {
      const { page } = await journey.open('/data/Killed')
      await importUntil(page, '/apis/killeds', () => journey.kill())
      await page.getByText('The gateway does not answer. It is asked again').waitFor()
      await expectAccessible(page)
      await keepPicture(page, 'import-waiting')
      await page.getByText('500 rows, from 1001 to 1500, were sent and not answered').waitFor()
      await page.getByText('1,000 rows were imported.').waitFor()
      await page.getByText('1,500 rows, from row 1501, were not sent.').waitFor()
      await journey.startAgain()
      expect((await titlesAt('/apis/killeds')).length % 500).toBe(0)
      await page.getByRole('button', { name: 'Go on' }).click()
      // The gateway keeps the key of an interrupted call for a minute.
      await page.getByText('3,000 rows were imported.').waitFor({ timeout: 300_000 })
      await page.getByText('0 rows were refused').waitFor()
      expect(await titlesAt('/apis/killeds')).toEqual(titles)
      await page.context().close()
    })

    test('a tab that is closed in the middle: another one goes on', async () => {
      const { page } = await journey.open('/data/Closed')
      const context = page.context()
      let isSent = false
      await importUntil(page, '/apis/closeds', async () => {
        isSent = true
      })
      await expect.poll(() => isSent).toBe(true)
      await page.close({ runBeforeUnload: false })
      const other = await context.newPage()
      await other.goto(`${journey.program.frontUrl}/console/data/Closed`)
      await other.getByRole('button', { name: 'Import', exact: true }).click()
      await other.getByText(/An import of rows.csv did not come to its end: \S+ rows were imported/).waitFor()
      await other.getByRole('button', { name: 'Close' }).click()
      await chooseFile(other)
      await other.getByText('were sent and not answered').waitFor()
      await other.getByRole('button', { name: 'Go on' }).click()
      await other.getByText('3,000 rows were imported.').waitFor({ timeout: 300_000 })
      expect(await titlesAt('/apis/closeds')).toEqual(titles)
      await other.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await other.getByRole('button', { name: 'Import', exact: true }).click()
      await other.getByText('Nothing is written before').waitFor()
      await expect.poll(() => other.getByText('did not come to its end').count()).toBe(0)
      await context.close()
    })

    test('a network that is lost in the middle: the import goes on when it is back', async () => {
      const { page } = await journey.open('/data/Offline')
      // As on a page without TLS.
      await page.addInitScript(() =>
        Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined }),
      )
      await page.reload()
      await importUntil(page, '/apis/offlines', () => page.context().setOffline(true))
      await page.getByText(/500 rows, from \d+ to \d+, were sent and not answered/).waitFor()
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByText('3,000 rows were imported.').waitFor({ timeout: 300_000 })
      expect(await titlesAt('/apis/offlines')).toEqual(titles)
      await page.context().close()
    })
  },
)
