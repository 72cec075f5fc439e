/** Tables, rows and records in the console. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
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
  'create table author (id integer not null primary key, name varchar(50), born datetime)',
  "insert into author values (1, 'Ada', '1815-12-10 08:30:00'), (2, 'Emil', null)",
  'create table book (id integer not null primary key, title varchar(200) not null, author_id integer references author(id), price decimal(8,2), isbn bigint)',
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)
   insert into book select i, 'Title ' || i, 1 + (i > 100), i * 1.5, 9007199254740000 + i * 1000 from n`,
  'create table `<script>alert(1)</script>` (`a b` integer not null primary key, `<b>` text, json json, bytes blob)',
  `insert into \`<script>alert(1)</script>\` values (1, '<img src=x onerror="document.title=1">', '{"a":[1]}', x'00ff'), (2, '', null, null)`,
  'create table log (line text)',
  'create table `商品` (`番号` integer primary key, `名前` text)',
  "insert into `商品` values (1, 'りんご')",
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 60) insert into log select 'line ' || i from n",
]

describe.runIf(hasBrowser)('data in the console', () => {
  let journey: ConsoleJourney
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const file = join(folder.path, 'books.sqlite')
    await runStatements({ product: 'sqlite', file, readConnections: 2, ...testLimits }, statements)
    journey = await startConsoleJourney('--db_product', 'sqlite', '--db_name', file)
    await journey.call('POST', '/manage/entities/adopt', { tables: ['author', 'book'] })
    await journey.addAccount('half', [
      { regex: '/graphql/book', methods: ['POST'] },
      { regex: '/apis/authors(/[^/]+)?', methods: ['GET'] },
    ])
    await journey.addAccount('adder', [{ regex: '/apis/books', methods: ['POST'] }])
    await journey.addAccount('nobody', [])
  })
  afterAll(async () => {
    await journey?.close()
    await folder?.remove()
  })

  const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true })

  test('who may only create records in a table sees the form for a new one', async () => {
    const { page, mistakes } = await journey.open('/data', { account: 'adder' })
    await page.getByRole('link', { name: /^book/ }).click()
    const heading = page.getByRole('heading', { level: 1, name: 'New record of book' })
    const title = page.getByRole('textbox', { name: /^title/ })
    await heading.waitFor()
    await page.getByRole('textbox', { name: /^id/ }).fill('500')
    await title.fill('One more')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The record was created.').waitFor()
    await expect.poll(() => title.inputValue()).toBe('')
    await heading.waitFor()
    expect(await journey.call('GET', '/apis/books/500')).toMatchObject({ title: 'One more' })
    await journey.call('DELETE', '/apis/books/500')
    await page.getByRole('link', { name: 'All tables' }).click()
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('someone finds a table, sorts and filters its rows, and shares what is shown', async () => {
    const { page, mistakes } = await journey.open('/data')
    await page.getByRole('link', { name: /^book/ }).waitFor()
    await keepPicture(page, 'data')
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Find a table' }).fill('BOO')
    await page.getByRole('link', { name: /^author/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^book/ }).click()
    await cell(page, 'Title 1').waitFor()
    await page.getByText('1–50').waitFor()
    await keepPicture(page, 'table')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Next page' }).click()
    await cell(page, 'Title 51').waitFor()
    await page.getByRole('button', { name: 'Last page' }).click()
    await cell(page, 'Title 71').waitFor()
    await page.getByRole('button', { name: 'Count', exact: true }).click()
    await page.getByText('120 rows').waitFor()
    await page.getByRole('button', { name: 'author_id', exact: true }).click()
    await cell(page, 'Title 1').waitFor()
    await page.getByRole('button', { name: 'id', exact: true }).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'id 2' }).click({ modifiers: ['Shift'] })
    await cell(page, 'Title 120').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?asc=author_id&desc=id')
    await cell(page, 'Title 100').waitFor()

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('combobox', { name: 'Operator' }).click()
    await page.getByRole('option', { name: '>=' }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill('119')
    await page.getByRole('button', { name: 'Apply' }).click()
    await cell(page, 'Title 119').waitFor()
    await page.getByText('1–2').waitFor()
    await page.getByRole('button', { name: 'Or …' }).click()
    await page.getByRole('textbox', { name: 'Value' }).nth(1).fill('3')
    await page.keyboard.press('Enter')
    await cell(page, 'Title 3').waitFor()
    await expectAccessible(page)
    const shared = new URL(page.url())
    expect(JSON.parse(shared.searchParams.get('filters') ?? '')).toEqual([
      [
        { key: 'id', op: '>=', val: 119 },
        { key: 'id', op: '==', val: 3 },
      ],
    ])
    await page.goBack()
    await cell(page, 'Title 3').waitFor({ state: 'detached' })
    await page.goto(shared.href)
    await cell(page, 'Title 3').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('rows are filtered by a field of the record that a reference leads to', async () => {
    const { page, mistakes } = await journey.open('/data/book')
    await cell(page, 'Title 1').waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('combobox', { name: 'Field' }).fill('auth')
    await page.getByRole('option', { name: 'author', exact: true }).click()
    await page.getByRole('combobox', { name: 'Field of author' }).fill('na')
    await page.getByRole('option', { name: 'name', exact: true }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill('Emil')
    await page.getByRole('button', { name: 'Apply' }).click()
    await cell(page, 'Title 101').waitFor()
    await page.getByText('1–20').waitFor()
    await expectAccessible(page)
    expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).toEqual([
      { key: 'author.name', op: '==', val: 'Emil' },
    ])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the text of filters can be edited, and the gateway says what is wrong with it', async () => {
    const { page, mistakes } = await journey.open('/data/book?edit=')
    await page.getByText('As text').click()
    const editor = page.getByRole('textbox', { name: 'Filters as JSON' })
    await editor.fill('[{')
    await expect.poll(() => page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
    await editor.fill('[{"key":"titel","op":"starts","val":"Title 11"}]')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('names the unknown field "titel"; did you mean "title"').waitFor()
    await expectAccessible(page)
    await editor.fill('[{"key":"title","op":"starts","val":"Title 11"}]')
    await page.getByRole('button', { name: 'Apply' }).click()
    await cell(page, 'Title 119').waitFor()
    await page.getByText('1–11').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('1–50').waitFor()
    await page.getByRole('searchbox').fill('itle 42')
    await page.keyboard.press('Enter')
    await page.getByText('1–1', { exact: true }).waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the grid is used with the keyboard, and keeps its columns', async () => {
    const { page, mistakes } = await journey.open('/data/book')
    await cell(page, 'Title 1').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'price' }).uncheck()
    await page.getByRole('button', { name: 'Move isbn forward' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await cell(page, 'Title 1').waitFor()
    const heads = await page.getByRole('columnheader').allTextContents()
    expect(heads).toEqual(['Record', 'id', 'title', 'author_id', 'isbn'])
    // No digit of a large number is lost.
    await cell(page, '9007199254741000').waitFor()
    await page.getByRole('gridcell').first().focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Control+End']) await page.keyboard.press(key)
    const focused = page.locator('td:focus')
    await expect.poll(() => focused.getAttribute('data-cell')).toBe('49:4')
    for (const key of ['Home', 'PageUp', 'Control+Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'book 2' }).waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a record leads to those that it references, and that reference it', async () => {
    const { page, mistakes } = await journey.open('/data/book')
    await page.getByRole('link', { name: 'Open row 3', exact: true }).click()
    await page.getByRole('heading', { name: 'book 3' }).waitFor()
    await page.getByRole('link', { name: 'author: open in author' }).click()
    await page.getByRole('heading', { name: 'author 1' }).waitFor()
    await page.getByText('1815-12-10 08:30:00').waitFor()
    await page.getByRole('button', { name: /^bookCollection/ }).click()
    await cell(page, 'Title 10').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await cell(page, 'Title 11').waitFor()
    await keepPicture(page, 'record')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show as' }).click()
    await page.getByRole('dialog').getByText('/apis/authors/1').waitFor()
    await page.getByRole('tab', { name: 'GraphQL' }).click()
    await page.getByRole('dialog').getByText('rows: author(GlobalId: $GlobalId)').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Open as table' }).click()
    await page.getByRole('heading', { name: 'book', exact: true }).waitFor()
    await cell(page, 'Title 20').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('odd names, odd values, no key, nothing there', async () => {
    const { page, mistakes } = await journey.open('/data?q=script')
    await page.getByRole('link', { name: /<script>alert\(1\)<\/script>/ }).click()
    await page.getByText('<img src=x onerror="document.title=1">').waitFor()
    await page.getByRole('button', { name: 'Show all of json' }).click()
    await page.getByRole('dialog').getByText('"a": [').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 bytes').waitFor()
    await page.getByRole('link', { name: 'Publish as an API' }).waitFor()
    await page.goto(`${journey.program.frontUrl}/console/data/log`)
    await page.getByText('This table has no key').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await cell(page, 'line 60').waitFor()
    await page.getByText('51–60').waitFor()
    await page.goto(`${journey.program.frontUrl}/console/data/book/Ym9va186OTk5`)
    await page.getByText('This record does not exist, or no longer').waitFor()
    await page.goto(`${journey.program.frontUrl}/console/data/none`)
    await page.getByText('There is no table named "none".').waitFor()
    await page.getByRole('link', { name: 'All tables' }).waitFor()
    expectQuiet(mistakes, /status of 404/)
    await page.context().close()
  })

  test('tables and columns whose names GraphQL cannot have are found and shown by their own names', async () => {
    const { page, mistakes } = await journey.open('/data')
    await page.getByRole('searchbox', { name: 'Find a table' }).fill('商品')
    await page.getByRole('link', { name: /商品/ }).click()
    await page.getByRole('columnheader', { name: /番号/ }).waitFor()
    await page.getByRole('columnheader', { name: /名前/ }).getByText('名前').waitFor()
    await keepPicture(page, 'own-names')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: /名前/ }).uncheck()
    await expect.poll(() => page.getByRole('columnheader', { name: /名前/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('term').filter({ hasText: '名前' }).waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a table that is opened while the search waits for more letters stays open', async () => {
    const { page, mistakes } = await journey.open('/data')
    const link = page.getByRole('link', { name: /^book/ }).first()
    await link.waitFor()
    await page.getByRole('searchbox', { name: 'Find a table' }).fill('boo')
    await link.evaluate((element: { click(): void }) => {
      element.click()
      // As on a slow machine: the search goes on before the page is shown.
      const end = performance.now() + 400
      while (performance.now() < end);
    })
    await cell(page, 'Title 1').waitFor()
    expect(page.url()).toMatch(/\/data\/book$/)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const { page, mistakes } = await journey.open('/data', {
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page.getByRole('link', { name: /^book/ }).click()
    await cell(page, 'Title 1').waitFor()
    await page.getByRole('button', { name: '絞り込み' }).click()
    await page.getByRole('button', { name: '条件を追加' }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: '1 行目を開く', exact: true }).click()
    await page.getByRole('heading', { name: 'book 1' }).waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('someone with half of the rights reads one table by GraphQL, and another by its API', async () => {
    const { page, mistakes } = await journey.open('/data', { account: 'half' })
    await page.getByRole('link', { name: /^book/ }).waitFor()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
    await page.getByRole('link', { name: /^author/ }).click()
    await page.getByText('only the published API of this table').waitFor()
    await cell(page, 'Ada').waitFor()
    await page.getByRole('button', { name: 'name', exact: true }).click()
    await page.getByRole('button', { name: 'name', exact: true }).click()
    await expect.poll(() => page.getByRole('gridcell').nth(2).textContent()).toBe('Emil')
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('heading', { name: 'author 2' }).waitFor()
    await page.goto(`${journey.program.frontUrl}/console/data/book/Ym9va186MQ`)
    await page.getByRole('heading', { name: 'book 1' }).waitFor()
    // The reference leads to a table that GraphQL does not show.
    await expect.poll(() => page.getByRole('link', { name: /author: open/ }).count()).toBe(0)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('someone without rights sees that there is nothing', async () => {
    const { page, mistakes } = await journey.open('/data', { account: 'nobody' })
    await page.getByText('Your roles do not allow you to read a table').waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the command palette finds tables', async () => {
    const { page, mistakes } = await journey.open('/')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByPlaceholder('Search for pages').fill('auth')
    await page.getByRole('button', { name: 'author', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'author', exact: true }).click()
    await page.getByRole('heading', { name: 'author', exact: true }).waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })
})
