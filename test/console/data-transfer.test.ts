/** Rows that leave the console as files, and come in from files. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  password,
  startConsoleOn,
} from '../support/console-journey.ts'
import { mainProduct } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Statements that insert many rows, some at a time. */
const insertions = (table: string, rows: readonly string[]) =>
  Array.from({ length: Math.ceil(rows.length / 1000) }, (_, index) => {
    const some = rows.slice(index * 1000, (index + 1) * 1000)
    return `insert into ${table} values ${some.join(', ')}`
  })

const statements = [
  'create table author (id integer not null primary key, name varchar(50), meta json)',
  `insert into author values (1, 'Ada', '{"a":[1]}'), (2, '=1+1', null), (3, '', null), (4, null, null)`,
  `create table reading
   (id integer not null primary key, author_id integer, sum integer, foreign key (author_id) references author (id))`,
  ...insertions(
    'reading',
    numbers(25_000).map((i) => `(${i}, ${1 + (i % 4)}, ${i * 3})`),
  ),
  'create table log (line varchar(50))',
  ...insertions(
    'log',
    numbers(2500).map((i) => `('line ${i}')`),
  ),
]

/** The private files of an origin, in place of those that a person chooses. */
interface PrivateFiles {
  getDirectory(): Promise<{
    getFileHandle(name: string): Promise<{ getFile(): Promise<Blob> }>
    keys(): AsyncIterable<string>
  }>
}

/** Runs in the browser. */
async function fileNames(): Promise<readonly string[]> {
  const { storage } = navigator as unknown as { readonly storage: PrivateFiles }
  const names: string[] = []
  for await (const name of (await storage.getDirectory()).keys()) names.push(name)
  return names
}

describe.runIf(hasBrowser).each(mainProduct('MariaDB'))('files of rows in the console, $name', (product) => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleOn(product, statements)
    await journey.call('POST', '/manage/entities/adopt', { tables: ['author', 'reading'] })
    await journey.call('POST', '/manage/entities', [
      definition('Genre', { local: [field('name', 'string', { field_nullable: false })] }),
      definition('Song', {
        local: [
          field('title', 'string', { field_nullable: false }),
          field('number', 'integer', { field_unique: true }),
          field('isLoud', 'boolean'),
          field('tags', 'array'),
        ],
        refs: [reference('genreId', 'Genre')],
      }),
    ])
    await journey.call('POST', '/apis/genres', [
      { id: 'jazz', name: 'Jazz' },
      { id: 'rock', name: 'Rock' },
    ])
    await journey.addAccount('reader', [{ regex: '/apis/(readings|songs)', methods: ['GET'] }])
  })
  afterAll(() => journey?.close())

  const url = (path: string) => `${journey.program.frontUrl}/console${path}`

  async function exported(page: Page): Promise<{ readonly name: string; readonly text: string }> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  /** What browsers have that cannot write files piece by piece. */
  async function withoutPicker(page: Page): Promise<void> {
    await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }))
    await page.reload()
  }

  test('someone takes what the grid shows away: its filters, its order, its columns', async () => {
    const { page, mistakes } = await journey.open('/data/author')
    await withoutPicker(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('4 rows: all that the filters find').waitFor()
    await keepPicture(page, 'export')
    await expectAccessible(page)
    expect(await exported(page)).toEqual({
      name: 'author.csv',
      text: '\ufeffid,name,meta\r\n1,Ada,"{""a"":[1]}"\r\n2,\'=1+1,\r\n3,"",\r\n4,,\r\n',
    })
    await page.getByText('4 rows are in your downloads.').waitFor()
    await page.getByRole('checkbox', { name: 'Safe for spreadsheets' }).uncheck()
    await page.getByRole('radio', { name: 'Semicolon' }).check()
    expect((await exported(page)).text).toBe(
      'id;name;meta\r\n1;Ada;"{""a"":[1]}"\r\n2;=1+1;\r\n3;"";\r\n4;;\r\n',
    )
    await page.goto(url('/data/author?desc=id&filters=[{"key":"id","op":"<","val":3}]'))
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'name' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('JSON', { exact: true }).click()
    // MariaDB has no type for JSON: the column holds text.
    const meta = product.name === 'MariaDB' ? String.raw`"{\"a\":[1]}"` : '{"a":[1]}'
    expect((await exported(page)).text).toBe(`[\n{"id":2,"meta":null},\n{"id":1,"meta":${meta}}\n]\n`)
    await page.getByText('JSON Lines', { exact: true }).click()
    await page.getByRole('radio', { name: 'All 3' }).check()
    expect((await exported(page)).text).toBe(
      `{"id":2,"name":"=1+1","meta":null}\n{"id":1,"name":"Ada","meta":${meta}}\n`,
    )
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a list of many pages is whole, with a key and without one', async () => {
    const { page, mistakes } = await journey.open('/data/reading')
    await withoutPicker(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('JSON Lines', { exact: true }).click()
    const { text } = await exported(page)
    const ids = text.split('\n').map((line) => (line === '' ? 0 : JSON.parse(line).id))
    expect(ids).toEqual([...Array.from({ length: 25_000 }, (_, index) => index + 1), 0])
    await page.goto(url('/data/log'))
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    // Without a key, products differ in the order.
    const lines = (await exported(page)).text.split('\r\n').toSorted()
    expect(lines).toEqual(['', '\ufeffline', ...numbers(2500).map((i) => `line ${i}`)].toSorted())
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('where the browser can, rows are written while they are read; stopping leaves no file', async () => {
    const { page, mistakes } = await journey.open('/data/reading')
    await page.addInitScript({
      content: `globalThis.showSaveFilePicker = async ({ suggestedName }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`,
    })
    await page.reload()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const start = page.getByRole('dialog').getByRole('button', { name: 'Export' })
    await page.route('**/gateway/graphql', async (route) => {
      if (route.request().postData()?.includes('after')) await new Promise(() => {})
      await route.continue()
    })
    await start.click()
    await page.getByText('1,000 of 25,000 rows').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. No file was kept.').waitFor()
    expect(await page.evaluate(fileNames)).toEqual([])
    await page.unroute('**/gateway/graphql')
    await start.click()
    await page.getByText('The file has 25,000 rows.').waitFor()
    const text = await page.evaluate(async () => {
      const { storage } = navigator as unknown as { readonly storage: PrivateFiles }
      const file = await (await storage.getDirectory()).getFileHandle('reading.csv')
      return (await file.getFile()).text()
    })
    expect(text.split('\r\n')).toHaveLength(25_002)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a failure on the way is told, and leaves no file', async () => {
    const { page } = await journey.open('/data/reading')
    await withoutPicker(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.route('**/gateway/graphql', (route) =>
      route.request().postData()?.includes('after') ? route.abort() : route.continue(),
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await page.getByText('The gateway cannot be reached').waitFor()
    await page.context().close()
  })

  test('someone who may only read the published API takes its rows away', async () => {
    const { page, mistakes } = await journey.open('/data/reading?desc=id', { account: 'reader' })
    await withoutPicker(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const lines = (await exported(page)).text.split('\r\n')
    expect([lines.length, lines[1], lines.at(-2)]).toEqual([25_002, '25000,1,75000', '1,2,3'])
    expectQuiet(mistakes)
    await page.context().close()
  })

  interface Song {
    readonly id: string
    readonly title: string
    readonly number: number | null
  }
  const songs = async () => (await journey.call('GET', '/apis/songs?asc=number')) as readonly Song[]

  async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const buffer = typeof content === 'string' ? Buffer.from(content) : content
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
  }

  test('someone imports CSV: sees its mistakes first, imports the rest, and takes the refused rows away', async () => {
    const { page, mistakes } = await journey.open('/data/Song')
    const lines = [
      'ID;Title;Number;is loud;Tags;Genre ID;remark',
      's1;"One; ""first""\nsong";1;TRUE;"[""a"",1]";jazz;x',
      's2;Two;2;FALSE;;none;y',
      's3;;x;;;rock;z',
      's4;Four;1;;;;',
      's5;Five;5;;;;',
      's6;Six',
    ]
    await chooseFile(page, 'songs.csv', `\ufeff${lines.join('\r\n')}\r\n`)
    await page.getByText('The file has 6 rows.').waitFor()
    await page.getByText('4 of the first 6 rows have mistakes.').waitFor()
    await page.getByText('genreId: There is no Genre whose id is "none".').waitFor()
    await page.getByText('number: Another record of this call has the same value.').waitFor()
    await page.getByText('The row has 2 cells, and there are 7 columns.').waitFor()
    expect(await songs()).toEqual([])
    await keepPicture(page, 'import')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Check all rows' }).click()
    await page.getByText('The gateway would take 2 rows. Nothing was written.').waitFor()
    await page.getByText('It would refuse 4 rows.').waitFor()
    expect(await songs()).toEqual([])
    await page.getByRole('button', { name: 'Back' }).click()
    // The titles of two rows are not what was meant.
    await page.getByRole('combobox', { name: 'Field for remark' }).click()
    await page.getByRole('option', { name: 'title' }).click()
    await page.getByText('5 of the first 6 rows have mistakes.').waitFor()
    await page.getByRole('combobox', { name: 'Field for Title' }).click()
    await page.getByRole('option', { name: 'title' }).click()
    await page.getByText('4 of the first 6 rows have mistakes.').waitFor()
    await page.getByRole('button', { name: 'Import 6 rows' }).click()
    await page.getByText('2 rows were imported.').waitFor()
    await page.getByText('4 rows were refused and not kept.').waitFor()
    await keepPicture(page, 'import-outcome')
    await expectAccessible(page)
    expect(await songs()).toMatchObject([
      { id: 's1', title: 'One; "first"\nsong', number: 1, isLoud: true, tags: ['a', 1], genreId: 'jazz' },
      { id: 's5', title: 'Five', number: 5, isLoud: null },
    ])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the refused rows' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('songs-refused.csv')
    const kept = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(kept.slice(0, 2)).toEqual([
      '\ufeffID;Title;Number;is loud;Tags;Genre ID;remark;Mistakes',
      's2;Two;2;FALSE;"";none;y;"genreId: There is no Genre whose id is ""none""."',
    ])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('gridcell', { name: 's5', exact: true }).waitFor()
    expectQuiet(mistakes, /status of (409|422)/)
    await page.context().close()
  })

  test('rows without keys are imported as JSON, all of a batch or none', async () => {
    const { page } = await journey.open('/data/Song')
    const records = [
      { title: 'J1', number: 101, tags: [{ deep: null }], genreId: 'rock' },
      { title: 'J2', number: 101 },
      { title: 'J3', number: 103 },
    ]
    await chooseFile(page, 'songs.json', JSON.stringify(records))
    await page.getByText('1 of the first 3 rows has mistakes.').waitFor()
    await page.getByRole('radio', { name: 'Leave its whole batch out' }).check()
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    await page.getByText('0 rows were imported.').waitFor()
    await page.getByText('Not imported, because row 2 of the same batch was refused.').first().waitFor()
    expect((await songs()).filter(({ title }) => title.startsWith('J'))).toEqual([])
    await page.context().close()
  })

  test('an export comes back as it was', async () => {
    const { page } = await journey.open('/data/Song?filters=[{"key":"number","op":"==","val":1}]')
    await withoutPicker(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('JSON Lines', { exact: true }).click()
    const { name, text } = await exported(page)
    const before = (await songs()).filter(({ number }) => number === 1)
    await journey.call('DELETE', '/apis/songs/s1')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await chooseFile(page, name, text)
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('1 row was imported.').waitFor()
    const own = ({ id, title, number }: Song) => ({ id, title, number })
    expect((await songs()).filter(({ number }) => number === 1).map(own)).toEqual(before.map(own))
    await page.context().close()
  })

  test('a connection that fails in the middle loses nothing and writes nothing twice', async () => {
    const { page } = await journey.open('/data/Song')
    const rows = Array.from({ length: 1200 }, (_, index) => `n${index},N ${index},${1000 + index}`)
    await chooseFile(page, 'many.csv', `id,title,number\n${rows.join('\n')}\n`)
    await page.getByText('The gateway would take the first 100 rows.').waitFor()
    let calls = 0
    await page.route('**/gateway/apis/songs', async (route) => {
      calls += 1
      if (calls === 2) {
        // The gateway gets the rows, and its answer is lost.
        await route.fetch()
        await route.abort()
      } else if (calls > 2) await route.abort()
      else await route.continue()
    })
    await page.getByRole('button', { name: 'Import 1,200 rows' }).click()
    await page.getByText('500 rows, from 501 to 1000, were sent and not answered').waitFor()
    await page.getByText('500 rows were imported.').waitFor()
    await page.getByText('200 rows, from row 1001, were not sent.').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'import-interrupted')
    await page.unroute('**/gateway/apis/songs')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('1,200 rows were imported.').waitFor()
    await page.getByText('0 rows were refused').waitFor()
    expect((await songs()).filter(({ title }) => title.startsWith('N '))).toHaveLength(1200)
    await page.context().close()
  })

  test('a long import can be stopped: what was taken stays, and leaving is asked about', async () => {
    const { page } = await journey.open('/data/Genre')
    const rows = Array.from({ length: 5000 }, (_, index) => `g${index},Genre ${index}`)
    await chooseFile(page, 'genres.csv', `id,name\n${rows.join('\n')}\n`)
    await page.getByText('The gateway would take the first 100 rows.').waitFor()
    let calls = 0
    let release = () => {}
    await page.route('**/gateway/apis/genres', async (route) => {
      calls += 1
      if (calls === 3) await new Promise<void>((resolve) => (release = resolve))
      await route.continue()
    })
    await page.getByRole('button', { name: 'Import 5,000 rows' }).click()
    await page.getByText('1,000 of 5,000 rows').waitFor()
    await expect.poll(() => page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Stop'])
    await page.keyboard.press('Escape')
    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => {})
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => calls).toBe(3)
    release()
    await page.getByText('1,500 rows were imported.').waitFor()
    await page.getByText('3,500 rows, from row 1501, were not sent.').waitFor()
    expect(
      await journey.call('GET', '/apis/genres?filters=[{"key":"name","op":"starts","val":"Genre "}]'),
    ).toHaveLength(1500)
    await page.context().close()
  })

  test('rows of an interrupted call can be left out', async () => {
    const { page } = await journey.open('/data/Genre')
    await chooseFile(page, 'stuck.csv', 'id,name\nu1,Stuck 1\nu2,Stuck 2\n')
    await page.getByText('The gateway would take the first 2 rows.').waitFor()
    const problem = {
      status: 409,
      code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
      detail: 'The same call was interrupted.',
    }
    await page.route('**/gateway/apis/genres', (route) =>
      route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('The same call was interrupted.').waitFor()
    await keepPicture(page, 'import-interrupted-call')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Leave these rows out, and go on' }).click()
    await page.getByText('it is unknown whether this row was kept').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Go on' }).count()).toBe(0)
    await page.context().close()
  })

  test('an import during which the session ends goes on after the next login', async () => {
    const { page } = await journey.open('/data/Genre', { isNewLogin: true })
    const rows = Array.from({ length: 1200 }, (_, index) => `e${index},Ended ${index}`)
    const content = `id,name\n${rows.join('\n')}\n`
    await chooseFile(page, 'ended.csv', content)
    await page.getByText('The gateway would take the first 100 rows.').waitFor()
    let calls = 0
    await page.route('**/gateway/apis/genres', async (route) => {
      calls += 1
      if (calls !== 2) return await route.continue()
      // The gateway gets the rows, its answer is lost, and the session ends.
      await route.fetch()
      await page.context().clearCookies()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Import 1,200 rows' }).click()
    await page.getByText('500 rows, from 501 to 1000, were sent and not answered').waitFor()
    await page.unroute('**/gateway/apis/genres')
    await page.reload()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('An import of ended.csv did not come to its end: 500 rows were imported.').waitFor()
    await keepPicture(page, 'import-unfinished')
    await expectAccessible(page)
    const buffer = Buffer.from(content)
    await page.locator('input[type=file]').setInputFiles({ name: 'ended.csv', mimeType: 'text/csv', buffer })
    await page.getByText('500 rows, from 501 to 1000, were sent and not answered').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('1,200 rows were imported.').waitFor()
    expect(
      await journey.call('GET', '/apis/genres?filters=[{"key":"name","op":"starts","val":"Ended "}]'),
    ).toHaveLength(1200)
    await page.context().close()
  })

  test.each([
    ['empty.csv', Buffer.alloc(0), 'This file is empty.'],
    ['header.csv', Buffer.from('id,name\r\n'), 'This file has no rows.'],
    ['broken.json', Buffer.from('[{"id":1}'), 'This is not JSON'],
    ['text.json', Buffer.from('[]'), 'This file has no rows.'],
    ['latin.csv', Buffer.from('id,name\nl1,caf\u00e9\n', 'latin1'), 'The gateway would take the first row.'],
    [
      'wide.csv',
      Buffer.from('\ufeffid,name\nl1,caf\u00e9\n', 'utf16le'),
      'The gateway would take the first row.',
    ],
    ['one.json', Buffer.from('{"id":"l1","name":"x"}'), 'The gateway would take the first row.'],
    ['twice.csv', Buffer.from('id,name,name\nl1,a,b\n'), 'The gateway would take the first row.'],
    ['open.csv', Buffer.from('id,name\nl1,"a\nl2,b\n'), 'A quote in this row is not closed'],
    ['strange.csv', Buffer.from('a,b\n1,2\n'), 'No column goes into a field yet.'],
  ])('an odd file: %s', async (name, content, expected) => {
    const { page } = await journey.open('/data/Genre')
    await chooseFile(page, name, content)
    await page.getByText(expected).first().waitFor()
    await page.context().close()
  })

  test('someone who may only read is offered no import', async () => {
    const { page, mistakes } = await journey.open('/data/Song', { account: 'reader' })
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
    const { page, mistakes } = await journey.open('/data/author', view)
    await withoutPicker(page)
    await page.getByRole('button', { name: 'エクスポート' }).click()
    await page.getByText('4 行を、表示中の順序で').waitFor()
    await keepPicture(page, 'export-ja')
    await expectAccessible(page)
    await page.goto(url('/data/Genre'))
    await page.getByRole('button', { name: 'インポート' }).click()
    const buffer = Buffer.from('id,name\njp1,演歌\njp1,民謡\n')
    await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
    await page.getByText('先頭の 2 行のうち 1 行に誤りがあります。').waitFor()
    await keepPicture(page, 'import-ja')
    await expectAccessible(page)
    expectQuiet(mistakes, /status of 409/)
    await page.context().close()
  })
})
