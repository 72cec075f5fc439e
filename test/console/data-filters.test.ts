/** Filters of a table in the console that look at other tables. */
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  startConsoleJourney,
} from '../support/console-journey.ts'
import { runStatements } from '../support/run-statements.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testLimits } from '../support/test-limits.ts'

const statements = [
  'create table country (id integer not null primary key, name varchar(50))',
  "insert into country values (1, 'Canada'), (2, 'Australia')",
  'create table city (id integer not null primary key, name varchar(50), country_id integer references country(id))',
  "insert into city values (1, 'Lethbridge', 1), (2, 'Woodridge', 2), (3, 'Nowhere', null)",
  'create table shop (id integer not null primary key, name varchar(50), city_id integer references city(id))',
  "insert into shop values (1, 'Corner', 1), (2, 'Market', 2), (3, 'Attic', 3)",
  'create table parcel (id integer not null primary key, name varchar(50), meta json)',
  `insert into parcel values (1, 'Ängström', '{"size": {"cm": 5}}'), (2, 'ångström', '{"size": {"cm": "5"}}'), (3, 'Other', null), (4, 'More', '{"size": {"cm": 7}}')`,
  'create view big_sale as select id, amount from sale where amount > 10',
  'create table sale (id integer not null primary key, shop_id integer references shop(id), amount integer, note text)',
  "insert into sale values (1, 1, 5, 'cash'), (2, 1, 20, null), (3, 2, 20, 'cash')",
]

describe.runIf(hasBrowser)('filters through relations in the console', () => {
  let journey: ConsoleJourney
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const file = join(folder.path, 'shops.sqlite')
    await runStatements({ product: 'sqlite', file, readConnections: 2, ...testLimits }, statements)
    journey = await startConsoleJourney('--db_product', 'sqlite', '--db_name', file)
    await journey.addAccount('clerk', [{ regex: '/graphql/(shop|city)', methods: ['POST'] }])
  })
  afterAll(async () => {
    await journey?.close()
    await folder?.remove()
  })

  async function choose(within: Page | Locator, list: string, name: string): Promise<void> {
    const input = within.getByRole('combobox', { name: list, exact: true }).last()
    await input.click()
    await input.page().getByRole('option', { name, exact: true }).click()
  }
  const namesIn = (page: Page) =>
    page.getByRole('gridcell', { name: /^(Corner|Market|Attic)$/ }).allInnerTexts()
  const filtersOf = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '[]')

  test('someone follows two references to a field', async () => {
    const { page, mistakes } = await journey.open('/data/shop?edit=')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await choose(page, 'Field', 'city')
    const apply = page.getByRole('button', { name: 'Apply' })
    await page.getByRole('combobox', { name: 'Field of city' }).waitFor()
    await expect.poll(() => apply.isDisabled()).toBe(true)
    await choose(page, 'Field of city', 'country')
    await choose(page, 'Field of country', 'name')
    await page.getByRole('textbox', { name: 'Value' }).fill('Australia')
    await expectAccessible(page)
    await apply.click()
    await page.getByText('1–1', { exact: true }).waitFor()
    expect(await namesIn(page)).toEqual(['Market'])
    expect(filtersOf(page)).toEqual([{ key: 'city.country.name', op: '==', val: 'Australia' }])
    // The address brings the same selects back.
    await page.reload()
    await page.getByRole('combobox', { name: 'Field of country' }).waitFor()
    await choose(page, 'Field', 'id')
    await expect.poll(() => page.getByRole('combobox', { name: /^Field/ }).count()).toBe(1)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a value is entered only when the field at the end of its path is known', async () => {
    const { page, mistakes } = await journey.open('/data')
    const read = Promise.withResolvers<void>()
    await page.route('**/whoami/tables/city', async (route) => {
      await read.promise
      await route.continue()
    })
    const filters = encodeURIComponent(JSON.stringify([{ key: 'city.id', op: '==', val: 1 }]))
    await page.goto(`${journey.program.frontUrl}/console/data/shop?edit=&filters=${filters}`)
    await page.getByRole('combobox', { name: 'Field', exact: true }).waitFor()
    const value = page.getByRole('textbox', { name: 'Value' })
    expect(await value.count()).toBe(0)
    read.resolve()
    await value.fill('2')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => filtersOf(page)).toEqual([{ key: 'city.id', op: '==', val: 2 }])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('and asks about related rows: some, every, none of them, with conditions inside', async () => {
    const { page, mistakes } = await journey.open('/data/shop?edit=')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await choose(page, 'Field', 'saleCollection')
    const rows = page.getByRole('group', { name: 'A row of sale matches if' })
    await rows.getByText('Every row matches').waitFor()
    const apply = page.getByRole('button', { name: 'Apply' })
    await apply.click()
    await page.getByText('1–2', { exact: true }).waitFor()
    expect(filtersOf(page)).toEqual([{ key: 'saleCollection', op: 'some', val: [] }])

    await rows.getByRole('button', { name: 'Add a condition' }).click()
    await choose(rows, 'Field', 'amount')
    await choose(rows, 'Operator', '>')
    await rows.getByRole('textbox', { name: 'Value' }).fill('10')
    await rows.getByRole('button', { name: 'Or …' }).click()
    await choose(rows, 'Field', 'note')
    await choose(rows, 'Operator', 'is null')
    await choose(page, 'Which rows match', 'every row matches')
    await keepPicture(page, 'filters')
    await expectAccessible(page)
    await apply.click()
    await expect.poll(() => namesIn(page)).toEqual(['Market', 'Attic'])
    const inner = [
      [
        { key: 'amount', op: '>', val: 10 },
        { key: 'note', op: '==', val: null },
      ],
    ]
    expect(filtersOf(page)).toEqual([{ key: 'saleCollection', op: 'every', val: inner }])
    await page.getByText('As text').click()
    const text = page.getByRole('textbox', { name: 'Filters as JSON' })
    await expect.poll(async () => JSON.parse(await text.innerText())).toEqual(filtersOf(page))
    await page.getByText('Build').click()
    await choose(page, 'Which rows match', 'no row matches')
    await apply.click()
    await expect.poll(() => namesIn(page)).toEqual(['Attic'])
    await page.getByText('1 filter').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('rows are related through a reference, and to each other', async () => {
    const { page, mistakes } = await journey.open('/data/sale?edit=')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await choose(page, 'Field', 'shop')
    await choose(page, 'Field of shop', 'saleCollection')
    const rows = page.getByRole('group', { name: 'A row of sale matches if' })
    await rows.getByRole('button', { name: 'Add a condition' }).click()
    await choose(rows, 'Field', 'amount')
    await rows.getByRole('textbox', { name: 'Value' }).fill('5')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1–2', { exact: true }).waitFor()
    expect(filtersOf(page)).toEqual([
      { key: 'shop.saleCollection', op: 'some', val: [{ key: 'amount', op: '==', val: 5 }] },
    ])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('ranges, texts in any case, and values inside JSON', async () => {
    const { page, mistakes } = await journey.open('/data/parcel?edit=')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const apply = page.getByRole('button', { name: 'Apply' })
    await choose(page, 'Operator', 'between')
    await page.getByRole('textbox', { name: 'From' }).fill('2')
    await page.getByRole('textbox', { name: 'To' }).fill('3')
    await apply.click()
    await page.getByText('1–2', { exact: true }).waitFor()
    expect(filtersOf(page)).toEqual([{ key: 'id', op: 'between', val: [2, 3] }])

    await choose(page, 'Field', 'name')
    await choose(page, 'Operator', '== (any case)')
    await page.getByRole('textbox', { name: 'Value' }).fill('OTHER')
    await apply.click()
    await page.getByText('1–1', { exact: true }).waitFor()
    expect(filtersOf(page)).toEqual([{ key: 'name', op: 'iequals', val: 'OTHER' }])

    await choose(page, 'Field', 'meta')
    await page.getByRole('textbox', { name: 'Path inside the JSON' }).fill('size.cm')
    await choose(page, 'Operator', '>=')
    await page.getByRole('textbox', { name: 'Value' }).fill('5')
    await keepPicture(page, 'filters-json')
    await expectAccessible(page)
    await apply.click()
    await page.getByText('1–2', { exact: true }).waitFor()
    expect(filtersOf(page)).toEqual([{ key: 'meta->size.cm', op: '>=', val: 5 }])
    await choose(page, 'Operator', '==')
    await page.getByRole('textbox', { name: 'Value' }).fill('"5"')
    await apply.click()
    await page.getByRole('gridcell', { name: 'ångström' }).waitFor()
    await page.getByText('1–1', { exact: true }).waitFor()
    // The address brings the same inputs back.
    await page.reload()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Path inside the JSON' }).inputValue())
      .toBe('size.cm')
    expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('"5"')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a view says why it is read-only, and what to publish instead', async () => {
    const { page, mistakes } = await journey.open('/data/big_sale')
    await page.getByText('This view is read-only: its rows are those of its tables.').waitFor()
    expect(await page.getByRole('link', { name: 'Publish as an API' }).count()).toBe(0)
    await page.setViewportSize({ width: 800, height: 800 })
    await page.getByText('pages are counted by position').waitFor()
    await keepPicture(page, 'view')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('only tables that the role allows are offered', async () => {
    const { page, mistakes } = await journey.open('/data/shop?edit=', { account: 'clerk' })
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('combobox', { name: 'Field' }).click()
    const offered = () => page.getByRole('option').allInnerTexts()
    await expect.poll(offered).toEqual(['id', 'name', 'city_id', 'city'])
    await page.getByRole('option', { name: 'city', exact: true }).click()
    await page.getByRole('combobox', { name: 'Field of city' }).click()
    await expect.poll(offered).toEqual(['id', 'name', 'country_id', 'shopCollection'])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const filters = [
      { key: 'city.country.name', op: '==', val: 'Canada' },
      { key: 'saleCollection', op: 'some', val: [{ key: 'amount', op: '>', val: 10 }] },
    ]
    const query = new URLSearchParams({ edit: '', filters: JSON.stringify(filters) })
    const { page, mistakes } = await journey.open(`/data/shop?${query}`, {
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page
      .getByRole('group', { name: 'sale の行が一致する条件' })
      .getByRole('textbox', { name: '値' })
      .waitFor()
    await page.getByRole('combobox', { name: 'country のフィールド' }).waitFor()
    await page.getByRole('gridcell', { name: 'Corner' }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'filters-phone')
    expectQuiet(mistakes)
    await page.context().close()
  })
})
