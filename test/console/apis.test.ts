/** The pages of APIs in the console. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  startConsoleJourney,
} from '../support/console-journey.ts'
import { definition, field } from '../support/temporary-entities.ts'

describe.runIf(hasBrowser)('APIs in the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
    const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
    await journey.call('POST', '/manage/entities', definitions)
    await journey.call('POST', '/manage/routes', {
      name: 'shop',
      path: '/shop/*',
      methods: ['GET', 'POST'],
      target: 'http://127.0.0.1:9',
    })
    await journey.addAccount('half', [
      { regex: '/openapi.json', methods: ['GET'] },
      { regex: '/apis/tenants(/[^/]+)?', methods: ['GET'] },
    ])
    await journey.addAccount('buyer', [
      { regex: '/openapi.json', methods: ['GET'] },
      { regex: '/shop/.*', methods: ['GET'] },
    ])
    await journey.addAccount('nobody', [{ regex: '/whoami', methods: ['GET'] }])
  })
  afterAll(() => journey?.close())

  test('someone finds an API, reads what it takes, and creates, reads and deletes a record', async () => {
    const { page, mistakes } = await journey.open('/apis')
    await page.getByRole('searchbox', { name: 'Find an API' }).fill('/ports')
    await page.getByRole('link', { name: /^Tenant/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Port/ }).click()
    await page.getByRole('heading', { name: 'Port', exact: true }).waitFor()
    await keepPicture(page, 'apis')
    await expectAccessible(page)
    const ids = () => page.locator('details[id]').evaluateAll((all) => all.map(({ id }) => id))
    await expect
      .poll(ids)
      .toEqual(['listPort', 'createPort', 'queryPort', 'getPort', 'replacePort', 'changePort', 'deletePort'])

    const creation = page.locator('#createPort')
    await creation.locator('summary').first().click()
    await creation.getByText('One of "Processing", "Completed", "Cancelled", null.').first().waitFor()
    await creation
      .getByRole('textbox', { name: 'Body' })
      .fill('{"id": "p1", "name": "a\'b", "portType": "x"}')
    await creation.getByText(`--data-raw '{"id":"p1","name":"a'\\''b","portType":"x"}'`).waitFor()
    await creation.getByRole('button', { name: 'Python' }).click()
    await creation.getByText('data=json.dumps({"id": "p1", "name": "a\'b", "portType": "x"})').waitFor()
    await creation.getByRole('button', { name: 'Send POST' }).click()
    const created = creation.getByRole('group', { name: 'Response', exact: true })
    await created.getByText('201 Created').waitFor()
    await created.getByText('Headers').click()
    await created.getByText(/location: .*\/apis\/ports\/p1$/).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'api')

    const deletion = page.locator('#deletePort')
    await deletion.locator('summary').first().click()
    await deletion.getByLabel('id path').fill('p1')
    await deletion.getByRole('button', { name: 'Send DELETE' }).click()
    await deletion.getByText('204 No Content').waitFor()
    await deletion.getByRole('button', { name: 'Send DELETE' }).click()
    await deletion.getByText('404 Not Found').waitFor()
    expectQuiet(mistakes, /status of 404/)
    await page.context().close()
  })

  test('an administrator tries the management API and sees upstream routes', async () => {
    const { page, mistakes } = await journey.open('/apis/management')
    await page.getByRole('link', { name: 'Roles' }).nth(1).click()
    const list = page.locator('#listRoles')
    await list.locator('summary').first().click()
    await list.getByLabel('q query').fill('adm')
    await list.getByRole('button', { name: 'Send GET' }).click()
    await list.getByText('"name": "admin"').waitFor()
    await list.getByText('200', { exact: true }).click()
    await list.getByText('Fields of authorities').first().click()
    await expectAccessible(page)
    await keepPicture(page, 'api-management')
    // What stands between backquotes in a description is code.
    await page.getByRole('link', { name: 'Second factor' }).click()
    const described = page.locator('#logOnAtPage')
    await described.locator('summary').first().click()
    const word = described.getByText('challenge', { exact: true }).first()
    expect(await word.evaluate((element) => element.tagName)).toBe('CODE')
    await page.getByRole('link', { name: 'Upstream', exact: true }).click()
    await page.getByRole('link', { name: /^shop/ }).click()
    const call = page.locator('details').filter({ hasText: 'GET' }).first()
    await call.locator('summary').first().click()
    await call.getByLabel('rest path').fill('/a b/c')
    await call.getByLabel('? query').fill('x=1&y=2')
    await call.getByText('/shop/a%20b/c?x=1&y=2', { exact: true }).waitFor()
    await call.getByRole('button', { name: 'Send GET' }).click()
    await call.getByText('502 Bad Gateway').waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes, /status of 502/)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const { page, mistakes } = await journey.open('/apis', {
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page.getByRole('link', { name: /^Port/ }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'apis-phone')
    await page.getByRole('link', { name: /^Port/ }).click()
    await page.getByText('Port のレコードを一覧します。', { exact: true }).waitFor()
    await page.locator('#listPort summary').first().click()
    await page.getByText('表示するフィールドとその順序。省略するとすべて。').first().waitFor()
    await page.locator('#listPort').getByRole('button', { name: 'GET を送信' }).click()
    await page.locator('#listPort').getByText('200 OK').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'api-phone')
    await page.getByRole('link', { name: '← すべての API' }).click()
    await page.getByRole('link', { name: /^Tenant/ }).waitFor()
    await page.getByRole('link', { name: 'ゲートウェイ', exact: true }).click()
    await page.getByRole('searchbox', { name: 'API を検索' }).fill('ロール')
    await page.getByRole('list', { name: 'ゲートウェイ' }).getByRole('link', { name: 'ロール' }).click()
    await page.getByRole('heading', { name: 'ロール', exact: true }).waitFor()
    await page.getByText('ロールを名前順に一覧します。').waitFor()
    await page.locator('#createRole summary').first().click()
    await page.locator('#createRole').getByText('ルートの転送先にできるオリジン').first().waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'api-roles-phone')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('what is described follows the language', async () => {
    const { page, mistakes } = await journey.open('/apis/management/Roles')
    await page.getByText('Lists the roles, by name.').waitFor()
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitem', { name: '日本語' }).click()
    await page.getByText('ロールを名前順に一覧します。').waitFor()
    await keepPicture(page, 'api-roles')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('someone with half of the rights sees the operations that they may call, and no other kind', async () => {
    const { page, mistakes } = await journey.open('/apis', { account: 'half' })
    await page.getByRole('link', { name: /^Tenant/ }).click()
    await page.locator('#listTenant').waitFor()
    const ids = await page.locator('details[id]').evaluateAll((all) => all.map(({ id }) => id))
    expect(ids).toEqual(['listTenant', 'getTenant'])
    await expect.poll(() => page.getByRole('navigation', { name: 'Kinds of APIs' }).count()).toBe(0)
    await page.goto(`${journey.program.frontUrl}/console/apis/published/Port`)
    await page.getByText('There is no published entity named "Port".').waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes, /status of 404/)
    await page.context().close()
  })

  test('someone who may call an upstream API finds it, without any right to manage routes', async () => {
    const { page, mistakes } = await journey.open('/apis', { account: 'buyer' })
    await page.getByRole('link', { name: 'Upstream', exact: true }).click()
    await page.getByRole('link', { name: /^shop/ }).click()
    const call = page.locator('details[id]')
    await call.getByText('/shop/{rest}').first().waitFor()
    await expect.poll(() => call.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['GET shop'])
    await expectAccessible(page)
    await keepPicture(page, 'apis-upstream')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByPlaceholder('Search for pages').fill('shop')
    await page.getByRole('button', { name: /shop \/shop/ }).waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('someone without the right has no such area', async () => {
    const { page, mistakes } = await journey.open('/', { account: 'nobody' })
    await page.getByRole('link', { name: 'Data', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'APIs', exact: true }).count()).toBe(0)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('with 2,000 entities the page is as high as its window, and the last one is found by keyboard', async () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      definition(`Thing${index}x`, { local: [field('name', 'string')] }),
    )
    await journey.call('POST', '/manage/entities', many.slice(0, 1000))
    await journey.call('POST', '/manage/entities', many.slice(1000))
    const { page, mistakes } = await journey.open('/apis')
    await page.getByText('APIs: 2,002').or(page.getByText('APIs: 2002')).waitFor()
    await expect.poll(() => page.getByRole('listitem').count()).toBeLessThan(60)
    const height = await page.evaluate('document.documentElement.scrollHeight')
    expect(height).toBeLessThanOrEqual(800)
    const search = page.getByRole('searchbox', { name: 'Find an API' })
    await search.fill('thing1')
    await page.getByText('APIs: 1,111').or(page.getByText('APIs: 1111')).waitFor()
    await search.press('ArrowDown')
    const focused = () => page.evaluate('document.activeElement.textContent')
    const walked: unknown[] = []
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown']) {
      await page.keyboard.press(key)
      walked.push(await focused())
    }
    const things = [1001, 1002, 1001, 1002].map((id) => `Thing${id}x/apis/thing${id}xes`)
    expect(walked).toEqual(things)
    await search.fill('thing1999')
    await page.getByRole('link', { name: /^Thing1999x/ }).waitFor()
    await search.press('Enter')
    await page.locator('#listThing1999x').waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByPlaceholder('Search for pages').fill('thing1998')
    await page.getByRole('button', { name: /Thing1998x \/apis/ }).click()
    await page.locator('#listThing1998x').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })
})
