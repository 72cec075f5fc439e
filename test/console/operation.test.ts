/** Overview, routes, status and configuration in the console. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  startConsoleJourney,
  startConsoleOn,
} from '../support/console-journey.ts'
import { products } from '../support/products.ts'

describe.runIf(hasBrowser)('the operation of a gateway in the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney('--slow_statement', '1ms')
    await journey.addAccount('watcher', [{ regex: '/manage/(status|routes)', methods: ['GET'] }])
    await journey.addAccount('nobody', [])
  })
  afterAll(() => journey?.close())

  test('a new gateway says what to do next, and does it', async () => {
    const { page, mistakes } = await journey.open('/')
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await keepPicture(page, 'overview-empty')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByRole('link', { name: 'Design an entity' }).click()
    await page.getByRole('heading', { name: 'New entity' }).waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('button', { name: 'Upload the example' }).click()
    await page.getByText('The example is there.').waitFor()
    await page.getByRole('heading', { name: 'Get started' }).waitFor({ state: 'detached' })
    await page.getByRole('listitem').getByText('Entity Tenant created').waitFor()
    await keepPicture(page, 'overview')
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a database whose tables are not published yet says what to do next', async () => {
    const product = products.find(({ name }) => name === 'SQLite')
    if (product === undefined) return
    const other = await startConsoleOn(product, [
      'create table book (id integer primary key, title varchar(50))',
    ])
    const { page, mistakes } = await other.open('/')
    await page.getByText('1 table is served in GraphQL. It is not published as an API yet.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Publish tables as APIs' }).click()
    await page.getByRole('checkbox', { name: 'book' }).check()
    await page.getByRole('button', { name: 'Show the definitions' }).click()
    await page.getByRole('button', { name: 'Adopt 1 table' }).click()
    await page.getByText('1 table is an entity now').waitFor()
    await page.goto(`${other.program.frontUrl}/console/`)
    await page.getByText('Published APIs').first().waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)
    expectQuiet(mistakes)
    await other.close()
  })

  test('a route is created, refused, changed and deleted', async () => {
    const { page, mistakes } = await journey.open('/routes')
    await page.getByRole('heading', { name: 'There are no routes' }).waitFor()
    await page.getByRole('link', { name: 'New route' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('open-tenants')
    await page.getByRole('textbox', { name: 'Path' }).fill('apis/tenants')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: 'Path' }).fill('/apis/tenants')
    await page.getByText('Public: anyone may call it without a token').click()
    await page.getByRole('button', { name: 'Show as' }).click()
    await page.getByRole('tab', { name: 'Request' }).click()
    await page.getByText('"scope":"public"').waitFor()
    await page.keyboard.press('Escape')
    await keepPicture(page, 'route')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'open-tenants' }).click()
    expect((await fetch(`${journey.program.url}/apis/tenants`)).status).toBe(200)

    await page.getByText('POST', { exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'GET, POST' }).waitFor()
    await keepPicture(page, 'routes')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'open-tenants' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'There are no routes' }).waitFor()
    expectQuiet(mistakes, /status of (404|422)/)
    await page.context().close()
  })

  test('what was done to a route is undone', async () => {
    const stored = { name: 'maps', path: '/maps/*', methods: ['GET'], target: 'http://127.0.0.1:9' }
    await journey.call('POST', '/manage/routes', stored)
    const before = await journey.call('GET', '/manage/routes/maps')
    const { page, mistakes } = await journey.open('/routes/edit/maps')
    const undo = () => page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    const route = () => journey.call('GET', '/manage/routes/maps').catch(() => undefined)
    await page.getByText('POST', { exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'GET, POST' }).waitFor()
    await undo()
    await expect.poll(route).toEqual(before)
    await page.getByRole('cell', { name: 'GET', exact: true }).waitFor()

    // The route as it was before the undo is not shown: it would be deleted, and brought back.
    const answered = Promise.withResolvers<void>()
    await page.route('**/manage/routes/maps', async (one) => {
      await answered.promise
      await one.continue()
    })
    const asked = page.waitForRequest('**/manage/routes/maps')
    await page.getByRole('link', { name: 'maps' }).click()
    await asked
    expect(await page.getByRole('textbox', { name: 'Path' }).count()).toBe(0)
    answered.resolve()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'There are no routes' }).waitFor()
    expect(await route()).toBeUndefined()
    await undo()
    await page.getByRole('link', { name: 'maps' }).waitFor()
    expect(await route()).toEqual(before)
    await journey.call('DELETE', '/manage/routes/maps')

    await page.getByRole('link', { name: 'New route' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('atlas')
    await page.getByRole('textbox', { name: 'Path' }).fill('/apis/atlas')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'atlas' }).waitFor()
    await undo()
    await page.getByRole('heading', { name: 'There are no routes' }).waitFor()
    // The route that is deleted is read once more before its page has gone.
    expectQuiet(mistakes, /status of 404/)
    await page.context().close()
  })

  test('the health of a target is shown', async () => {
    const route = { name: 'shop', path: '/shop/*', methods: ['GET'], target: 'http://127.0.0.1:9' }
    await journey.call('POST', '/manage/routes', { ...route, scope: 'public' })
    expect((await fetch(`${journey.program.url}/shop/a`)).status).toBe(502)
    const { page } = await journey.open('/routes')
    await page.getByText('Unhealthy').waitFor()
    await journey.call('DELETE', '/manage/routes/shop')
    await page.context().close()
  })

  test('status and configuration, on the desktop', async () => {
    const { page, mistakes } = await journey.open('/status')
    await page.getByRole('img', { name: /^Requests per second\. Succeeded: / }).waitFor()
    await page.getByRole('columnheader', { name: 'Statement' }).waitFor()
    await keepPicture(page, 'status')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clear the list' }).click()
    await page.getByRole('link', { name: 'Configuration' }).first().click()
    await page.getByLabel('Search options').fill('slow statement')
    await page.getByText(/^(gateway\.)?slow_statement$/).waitFor()
    await page.getByText(/^Flag/).waitFor()
    await keepPicture(page, 'configuration')
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test.each([
    ['/', '概要'],
    ['/routes', 'ルート'],
    ['/status', 'ステータス'],
    ['/configuration', '設定'],
  ])('%s on a phone, in the dark, in Japanese', async (path, heading) => {
    const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
    const { page, mistakes } = await journey.open(path, view)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('status', { name: '読み込み中' }).count()).toBe(0)
    await keepPicture(page, `phone${path.replace('/', '-')}`)
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('options are described, and found, in Japanese', async () => {
    const { page, mistakes } = await journey.open('/configuration', { language: 'ja' })
    await page.getByText('接続するデータベース製品。').waitFor()
    await page.getByRole('searchbox').fill('トークンの有効期間')
    await page.getByText(/^(gateway\.)?token_ttl$/).waitFor()
    await keepPicture(page, 'configuration-ja')
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('an account with some rights sees what they give, and one without any no refusals', async () => {
    const watcher = await journey.open('/', { account: 'watcher' })
    await watcher.page.getByText('Everything responds').waitFor()
    const areas = watcher.page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
    await expect
      .poll(() => areas.allTextContents())
      .toEqual(expect.arrayContaining(['Overview', 'Routes', 'Status']))
    await expect.poll(() => areas.allTextContents()).not.toContain('Configuration')
    await watcher.page.getByRole('link', { name: 'Routes' }).first().click()
    await watcher.page.getByRole('heading', { name: 'There are no routes' }).waitFor()
    await expect.poll(() => watcher.page.getByRole('link', { name: 'New route' }).count()).toBe(0)
    expectQuiet(watcher.mistakes)

    const nobody = await journey.open('/', { account: 'nobody' })
    await nobody.page.getByText('Welcome, nobody.').waitFor()
    await expectAccessible(nobody.page)
    expectQuiet(nobody.mistakes)
  })
})
