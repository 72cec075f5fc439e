/** Values of types that products have of their own, through the files and the cells of the console. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { type ConsoleJourney, expectQuiet, startConsoleOn } from '../support/console-journey.ts'
import { products } from '../support/products.ts'

type Row = Readonly<Record<string, unknown>>

/** A table of another program: its columns, and values that are hard to keep, as SQL literals. */
interface OddTable {
  readonly before?: readonly string[]
  readonly columns: Readonly<Record<string, string>>
  readonly rows: readonly (readonly string[])[]
  /** What is entered in cells, and what the published API has then. */
  readonly entered: Readonly<Record<string, readonly [text: string, value: unknown]>>
}

const text = `'😀 "q", é; it''s'`
const big = ['9223372036854775807', '-9223372036854775808'] as const

const tables: Readonly<Record<string, OddTable>> = {
  SQLite: {
    columns: {
      big: 'bigint',
      rate: 'real',
      plain: 'datetime',
      day: 'date',
      doc: 'json',
      flag: 'boolean',
      note: 'text',
      photo: 'blob',
    },
    rows: [
      [
        big[0],
        '0.1',
        "'2026-01-31 10:30:00.123456'",
        "'2026-02-28'",
        `'{"a":[1,null,"é"]}'`,
        '1',
        text,
        "x'00ff'",
      ],
      [big[1], '-1.5e-300', "'0001-01-01 00:00:00'", "'9999-12-31'", "'[]'", '0', "''", "x''"],
    ],
    entered: {
      big: ['-9007199254740993', '-9007199254740993'],
      flag: ['false', false],
      note: [' 😀', ' 😀'],
    },
  },
  PostgreSQL: {
    before: ["create type mood as enum ('ok', 'it''s \"bad\"')"],
    columns: {
      big: 'bigint',
      rate: 'double precision',
      exact: 'numeric(30,10)',
      plain: 'timestamp',
      zoned: 'timestamptz',
      day: 'date',
      clock: 'time',
      doc: 'json',
      docb: 'jsonb',
      words: 'text[]',
      feeling: 'mood',
      flag: 'boolean',
      note: 'text',
      uid: 'uuid',
      photo: 'bytea',
    },
    rows: [
      [
        ...[big[0], '0.1', '12345678901234567890.0123456789', "'2026-01-31 10:30:00.123456'"],
        ...["'2026-01-31 10:30:00.5+09'", "'2026-02-28'", "'23:59:59.999999'", `'{"a": [1, null, "é"]}'`],
        ...[`'{"b": 1.50}'`, `'{"a b","","x,y",null}'`, "'ok'", 'true', text],
        ...["'0190c5a4-1111-7222-8333-444455556666'", "'\\x00ff'"],
      ],
      [
        ...[big[1], '-1.5e-300', '-0.0000000001', "'0001-01-01'", "'1970-01-01 00:00:00Z'", "'9999-12-31'"],
        ...["'00:00'", "'[]'", "'{}'", "'{}'", `'it''s "bad"'`, 'false', "''"],
        ...["'00000000-0000-0000-0000-000000000000'", "''"],
      ],
    ],
    entered: {
      big: ['-9007199254740993', '-9007199254740993'],
      exact: ['98765432109876543210.0000000001', '98765432109876543210.0000000001'],
      zoned: ['2026-07-01T12:00:00.25+02:00', '2026-07-01T10:00:00.25'],
      plain: ['2026-07-01T12:00:00.000001', '2026-07-01T12:00:00.000001'],
      feeling: ['ok', 'ok'],
      flag: ['false', false],
      note: [' 😀', ' 😀'],
    },
  },
  MariaDB: {
    columns: {
      big: 'bigint',
      vast: 'bigint unsigned',
      rate: 'double',
      exact: 'decimal(30,10)',
      plain: 'datetime(6)',
      zoned: 'timestamp(6) null',
      day: 'date',
      clock: 'time(6)',
      doc: 'json',
      feeling: `enum('ok', 'it''s "bad"')`,
      flag: 'boolean',
      note: 'varchar(50)',
      photo: 'longblob',
    },
    rows: [
      [
        ...[big[0], '18446744073709551615', '0.1', '12345678901234567890.0123456789'],
        ...["'2026-01-31 10:30:00.123456'", "'2026-01-31 10:30:00.5'", "'2026-02-28'", "'23:59:59.999999'"],
        ...[`'{"a": [1, null, "é"]}'`, "'ok'", '1', text, "x'00ff'"],
      ],
      [
        ...[
          big[1],
          '0',
          '-1.5e-300',
          '-0.0000000001',
          "'1000-01-01'",
          "'1970-01-02 00:00:00'",
          "'9999-12-31'",
        ],
        ...["'00:00'", "'[]'", `'it''s "bad"'`, '0', "''", "''"],
      ],
    ],
    entered: {
      big: ['-9007199254740993', '-9007199254740993'],
      vast: ['18446744073709551614', '18446744073709551614'],
      exact: ['98765432109876543210.0000000001', '98765432109876543210.0000000001'],
      plain: ['2026-07-01T12:00:00.000001', '2026-07-01T12:00:00.000001'],
      feeling: ['ok', 'ok'],
      note: [' 😀', ' 😀'],
    },
  },
}

describe.runIf(hasBrowser).each(products)('odd values in the console, $name', ({ name, ...product }) => {
  const table = tables[name]
  if (table === undefined) throw new Error(`What is odd on ${name}?`)
  const columns = Object.entries(table.columns)
  const insertions = [...table.rows, columns.map(() => 'null')].map(
    (row, index) => `insert into odd values (${[index + 1, ...row].join(', ')})`,
  )
  let journey: ConsoleJourney
  let made: readonly Row[]

  const stored = async () => (await journey.call('GET', '/apis/odds?asc=id')) as readonly Row[]
  const deleteAll = async () => {
    for (const { id } of await stored()) await journey.call('DELETE', `/apis/odds/${id}`)
  }

  beforeAll(async () => {
    const types = columns.map(([column, type]) => `, ${column} ${type}`).join('')
    const creation = `create table odd (id integer not null primary key${types})`
    journey = await startConsoleOn({ name, ...product }, [...(table.before ?? []), creation, ...insertions])
    await journey.call('POST', '/manage/entities/adopt', { tables: ['odd'] })
    made = await stored()
  })
  beforeEach(async () => {
    await deleteAll()
    await journey.call('POST', '/apis/odds', made)
  })
  afterAll(() => journey?.close())

  async function exportAs(page: Page, format: 'CSV' | 'JSON' | 'JSON Lines') {
    await page.addInitScript(() => Object.assign(globalThis, { showSaveFilePicker: undefined }))
    await page.reload()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText(format, { exact: true }).click()
    if (format === 'CSV') await page.getByRole('checkbox', { name: 'Safe for spreadsheets' }).uncheck()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    ])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    return {
      name: file.suggestedFilename(),
      mimeType: 'text/plain',
      buffer: await readFile(await file.path()),
    }
  }

  test.each(['JSON Lines', 'JSON', 'CSV'] as const)(
    'come back from a file as they were: %s',
    async (format) => {
      const { page, mistakes } = await journey.open('/data/odd')
      const file = await exportAs(page, format)
      await deleteAll()
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByText('The gateway would take the first 3 rows.').waitFor()
      await page.getByRole('button', { name: 'Import 3 rows' }).click()
      await page.getByText('3 rows were imported.').waitFor()
      // A cell of CSV has no null: an empty one is the default.
      const known = (row: Row) =>
        format === 'CSV'
          ? Object.fromEntries(
              Object.entries(row).map(([column, value]) => [column, value === '' ? null : value]),
            )
          : row
      expect((await stored()).map(known)).toEqual(made.map(known))
      expectQuiet(mistakes)
      await page.context().close()
    },
  )

  test('are entered in their cells', async () => {
    const { page, mistakes } = await journey.open('/data/odd?asc=id')
    for (const [column, [entered]] of Object.entries(table.entered)) {
      const head = page.locator('button[data-cell]', { has: page.getByText(column, { exact: true }) })
      const [, place] = ((await head.getAttribute('data-cell')) ?? '').split(':')
      const cell = page.locator(`[data-cell="0:${place}"]`)
      await cell.dblclick()
      const editor = page.getByRole('group', { name: `Edit ${column}` })
      await expect.poll(() => editor.getAttribute('aria-busy')).toBe('false')
      const input = editor.locator('select, input:not([tabindex="-1"])').first()
      if ((await input.evaluate((element) => element.tagName)) === 'SELECT') await input.selectOption(entered)
      else await input.fill(entered)
      await page.keyboard.press('Enter')
      await editor.waitFor({ state: 'detached' })
    }
    const expected = Object.entries(table.entered).map(([column, [, value]]) => [column, value])
    expect((await stored())[0]).toEqual({ ...made[0], ...Object.fromEntries(expected) })
    expect((await stored()).slice(1)).toEqual(made.slice(1))
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('are changed in many records, and changed back', async () => {
    const { page, mistakes } = await journey.open('/data/odd?asc=id')
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('combobox', { name: 'Fields to change' }).click()
    await page.getByRole('option', { name: 'note', exact: true }).click()
    await page.getByRole('option', { name: 'big', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'note', exact: true }).fill('😀')
    await page.getByRole('textbox', { name: 'big', exact: true }).fill('9007199254740993')
    await page.getByRole('button', { name: 'Change 3 records' }).click()
    await page.getByText('3 records have the new values.').waitFor()
    const changed = { note: '😀', big: '9007199254740993' }
    expect(await stored()).toEqual(made.map((row) => ({ ...row, ...changed })))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 records are as they were.').waitFor()
    expect(await stored()).toEqual(made)
    expectQuiet(mistakes)
    await page.context().close()
  })
})
