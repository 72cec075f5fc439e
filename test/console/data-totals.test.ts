/** Totals and groups of the rows of a table in the console. */
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
  startConsoleOn,
} from '../support/console-journey.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testLimits } from '../support/test-limits.ts'

const statements = [
  'create table shop (id integer not null primary key, name varchar(50))',
  "insert into shop values (1, 'Lethbridge'), (2, 'Woodridge')",
  `create table sale (id integer not null primary key, shop_id integer references shop(id), amount decimal(12,2),
   sold_at datetime, note text)`,
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
   insert into sale select i, case when i % 4 = 0 then 2 when i % 40 = 1 then null else 1 end, i || '.50',
   '2024-' || printf('%02d', 1 + i % 3) || '-15 10:00:00', case when i % 2 = 0 then 'paid in cash' end from n`,
]

/** The texts of a table, row by row. */
async function textsOf(table: Locator): Promise<readonly (readonly string[])[]> {
  const rows = await table.getByRole('row').all()
  return Promise.all(
    rows.map(async (row) => {
      const texts = await row.locator('th, td').allInnerTexts()
      return texts.map((text) => text.replaceAll(/\s+/g, ' '))
    }),
  )
}

async function choose(page: Page, list: string, ...names: readonly string[]): Promise<void> {
  const input = page.getByRole('combobox', { name: list })
  for (const name of names) {
    await input.fill(name)
    await page.getByRole('option', { name, exact: true }).click()
  }
  await page.keyboard.press('Escape')
}

describe.runIf(hasBrowser)('totals of rows in the console', () => {
  let journey: ConsoleJourney
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const file = join(folder.path, 'sales.sqlite')
    await runStatements({ product: 'sqlite', file, readConnections: 2, ...testLimits }, statements)
    journey = await startConsoleJourney('--db_product', 'sqlite', '--db_name', file)
    await journey.call('POST', '/manage/entities/adopt', { tables: ['shop', 'sale'] })
    await journey.addAccount('clerk', [
      {
        regex: '/graphql/sale',
        methods: ['POST'],
        rows: [{ key: 'shop_id', op: '==', val: 2 }],
        fields: { read: ['id', 'shop_id', 'sold_at'] },
      },
    ])
    await journey.addAccount('caller', [{ regex: '/apis/sales(/[^/]+)?', methods: ['GET'] }])
  })
  afterAll(async () => {
    await journey?.close()
    await folder?.remove()
  })

  test('someone sums up what the filters find, groups it, and goes to the rows of a group', async () => {
    const { page, mistakes } = await journey.open('/data/sale')
    await page.getByText('1–50').waitFor()
    await page.getByRole('button', { name: 'Totals' }).click()
    const panel = page.getByRole('region', { name: 'Totals' })
    await panel.getByRole('button', { name: 'Compute' }).waitFor()
    await expectAccessible(page)
    await choose(page, 'Columns', 'amount', 'note')
    await panel.getByRole('button', { name: 'Compute' }).click()
    await panel.getByText('400 rows').waitFor()
    expect(await textsOf(panel.getByRole('table', { name: 'Totals of sale' }))).toEqual([
      ['Of the column', 'amount', 'note'],
      ['Not null', '400', '200'],
      ['Distinct', '400', '1'],
      ['Sum', '80,400', ''],
      ['Average', '201', ''],
      ['Minimum', '1.5', 'paid in cash'],
      ['Maximum', '400.5', 'paid in cash'],
    ])
    await expectAccessible(page)

    await choose(page, 'Group by', 'shop_id', 'sold_at')
    await panel.getByRole('button', { name: 'Compute' }).click()
    await panel.getByText('9 groups').waitFor()
    const groups = panel.getByRole('table', { name: 'Groups of sale' })
    const head = [
      'shop_id',
      'sold_at',
      'Rows',
      ...['Sum', 'Average', 'Minimum', 'Maximum'].map((fn) => `amount ${fn}`),
      ...['Distinct', 'Minimum', 'Maximum'].map((fn) => `note ${fn}`),
    ]
    const cash = ['1', 'paid in cash', 'paid in cash']
    const [shownHead, ...shown] = await textsOf(groups)
    expect(shownHead).toEqual(head)
    expect(shown[0]).toEqual([
      'null',
      '2024-01',
      '3 show these rows',
      '604.5',
      '201.5',
      '81.5',
      '321.5',
      '0',
      'none',
      'none',
    ])
    expect(shown[8]).toEqual([
      '2',
      '2024-03',
      '33 show these rows',
      '6,616.5',
      '200.5',
      '8.5',
      '392.5',
      ...cash,
    ])
    await groups.getByRole('button', { name: 'Rows' }).click()
    await expect.poll(async () => (await textsOf(groups))[1]?.[2]).toBe('97 show these rows')
    await groups.getByRole('button', { name: 'amount Sum' }).click()
    await expect.poll(async () => (await textsOf(groups))[1]?.[3]).toBe('19,565.5')
    await keepPicture(page, 'totals')
    await expectAccessible(page)

    // The address says all of it.
    expect(new URL(page.url()).search).toBe('?totals=amount%2Cnote&by=shop_id%2Csold_at%3AMONTH')
    await page.reload()
    await groups.getByRole('link', { name: '33 show these rows' }).last().click()
    await page.getByText('1–33').waitFor()
    expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).toEqual([
      { key: 'shop_id', op: '==', val: 2 },
      { key: 'sold_at', op: '>=', val: '2024-03-01T00:00:00' },
      { key: 'sold_at', op: '<', val: '2024-04-01T00:00:00' },
    ])
    await page.getByRole('button', { name: 'Totals' }).click()
    await choose(page, 'Columns', 'amount')
    await panel.getByRole('button', { name: 'Compute' }).click()
    await panel.getByText('33 rows').waitFor()
    await panel.getByRole('button', { name: 'Show as' }).click()
    await page.getByRole('tab', { name: 'GraphQL' }).click()
    await page.getByRole('tabpanel').getByText('sum { amount }').waitFor()
    await page.keyboard.press('Escape')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('many groups come a hundred at a time', async () => {
    const { page, mistakes } = await journey.open('/data/sale?totals=&by=id')
    const groups = page.getByRole('table', { name: 'Groups of sale' })
    await page.getByText('the first 100 groups').waitFor()
    await expect.poll(() => groups.getByRole('row').count()).toBe(101)
    await page.getByRole('button', { name: 'Show 100 more' }).click()
    await expect.poll(() => groups.getByRole('row').count()).toBe(201)
    await groups.getByRole('button', { name: 'id' }).click()
    await expect.poll(async () => (await textsOf(groups))[1]?.[0]).toBe('400')
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('totals are of the rows and columns that the role allows', async () => {
    const { page, mistakes } = await journey.open('/data/sale?totals=amount,sold_at', { account: 'clerk' })
    await page.getByText('100 rows', { exact: true }).waitFor()
    expect(await textsOf(page.getByRole('table', { name: 'Totals of sale' }))).toEqual([
      ['Of the column', 'sold_at'],
      ['Not null', '100'],
      ['Distinct', '3'],
      ['Minimum', '2024-01-15 10:00:00'],
      ['Maximum', '2024-03-15 10:00:00'],
    ])
    await page.getByRole('combobox', { name: 'Group by' }).click()
    const offered = () => page.getByRole('option').allInnerTexts()
    await expect.poll(offered).toEqual(['id', 'shop_id', 'sold_at'])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('who may only call the published API has no totals', async () => {
    const { page, mistakes } = await journey.open('/data/sale?totals=amount', { account: 'caller' })
    await page.getByText('only the published API of this table').waitFor()
    await page.getByText('1–50').waitFor()
    expect(await page.getByText('Totals').count()).toBe(0)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const { page, mistakes } = await journey.open('/data/sale?totals=amount,note&by=shop_id', {
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page.getByText('3 グループ').waitFor()
    await page.getByRole('table', { name: 'sale の集計' }).getByText('80,400').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'totals-phone')
    expectQuiet(mistakes)
    await page.context().close()
  })
})

/** Sales in months of two years; one without a time. */
const timedSales = (moment: string) => [
  `create table sale (id integer not null primary key, amount bigint, paid boolean, sold_at ${moment})`,
  `insert into sale values (1, 9007199254740993, true, '2024-02-29 23:59:59'), (2, 5, true, '2024-02-01 00:00:00'),
   (3, 7, false, '2024-02-10 12:00:00'), (4, 2, true, '2025-12-31 23:00:00'), (5, null, null, null)`,
]

describe.runIf(hasBrowser).each(products)('groups of units of time on $name', (product) => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleOn(
      product,
      timedSales(product.name === 'PostgreSQL' ? 'timestamp' : 'datetime'),
    )
  })
  afterAll(() => journey?.close())

  test('have exact sums, and lead to their rows', async () => {
    const { page, mistakes } = await journey.open('/data/sale?totals=amount&by=sold_at:MONTH')
    const groups = page.getByRole('table', { name: 'Groups of sale' })
    await page.getByText('3 groups').waitFor()
    const [, ...shown] = await textsOf(groups)
    expect(shown.map((texts) => texts.slice(0, 3))).toEqual([
      ['null', '1', 'none'],
      ['2024-02', '3 show these rows', '9,007,199,254,741,005'],
      ['2025-12', '1 show these rows', '2'],
    ])
    await groups.getByRole('link', { name: '3 show these rows' }).click()
    await page.getByText('1–3', { exact: true }).waitFor()
    await page.goto(`${journey.program.frontUrl}/console/data/sale?totals=&by=paid`)
    await page.getByText('3 groups').waitFor()
    // MariaDB has no booleans of its own.
    const isPaid = page.getByRole('rowheader', { name: /^(true|1)$/ })
    await groups.getByRole('row').filter({ has: isPaid }).getByRole('link').click()
    await page.getByText('1–3', { exact: true }).waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })
})
