/**
 * How heavy the console is, and how long its pages take, with 2,000 published tables and one of 1,000,000 rows, in
 * Chromium: `npm run bench console`. `-- --tables 500` publishes others.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { startConsoleJourney } from '../test/support/console-journey.ts'
import { median } from './statistics.ts'

const { values: flags } = parseArgs({ options: { tables: { type: 'string', default: '2000' } } })
const tableCount = Number(flags.tables)
const rowCount = 1_000_000
const runs = 7

/** What must be seen, of a page, for it to be there. */
const pages = [
  ['overview', '/', 'Requests, last 15 minutes'],
  [`list of ${tableCount} tables`, '/data', 'table0001'],
  ['grid of 1,000,000 rows', '/data/measurement', 'text 1'],
  [`list of ${tableCount} entities`, '/entities', 'table0001'],
] as const

/** Run in the page: resolves when other rows are painted, with the time since the last response. */
const waitForRows = `new Promise((resolve) => {
  const firstRow = () => [...document.querySelectorAll('tbody tr')].find((row) => row.textContent)?.textContent
  const before = firstRow()
  const observer = new MutationObserver(() => {
    if (firstRow() === before) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => {
      const ends = performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd)
      resolve(performance.now() - Math.max(...ends))
    }))
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
})`

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const file = join(folder, 'tables.sqlite')
fill(file)
const journey = await startConsoleJourney('--db_product', 'sqlite', '--db_name', file)
try {
  for (let first = 0; first < tableCount; first += 500) {
    const tables = Array.from({ length: Math.min(500, tableCount - first) }, (_, index) =>
      nameOf(first + index),
    )
    await journey.call('POST', '/manage/entities/adopt', { tables })
  }
  const loads = []
  for (let run = 0; run < runs; run += 1) loads.push(await firstLoad())
  print(
    'first page, compressed',
    loads.map(({ bytes }) => bytes / 1000),
    'kB',
  )
  print(
    'first page, until it can be used',
    loads.map(({ milliseconds }) => milliseconds),
    'ms',
  )
  for (const [name, path, text] of pages) print(name, await timesOf(path, text), 'ms')
  print('next page of the grid, after the response', await gridTimes(), 'ms')
} finally {
  await journey.close()
  await rm(folder, { recursive: true })
}

function nameOf(index: number): string {
  return `table${String(index + 1).padStart(4, '0')}`
}

function fill(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('begin')
  for (let index = 0; index < tableCount; index += 1) {
    const parent =
      index === 0 ? '' : `, parent_id integer references ${nameOf(Math.floor((index - 1) / 7))}(id)`
    database.exec(
      `create table ${nameOf(index)} (id integer not null primary key, name varchar(50)${parent})`,
    )
  }
  database.exec(
    'create table measurement (id integer not null primary key, name varchar(50), size integer, at datetime)',
  )
  database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rowCount})
    insert into measurement select i, 'text ' || i, i * 7 % 1000, '2027-01-31 09:30:00' from n`)
  database.exec('commit')
  database.close()
}

/** A browser that has nothing of the console yet, but a session. */
async function firstLoad(): Promise<{ readonly bytes: number; readonly milliseconds: number }> {
  const { page } = await journey.open('/account')
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  // The files of the page, without what the gateway says.
  session.on('Network.responseReceived', ({ response: { url, headers } }) => {
    if (/\/console\/(assets\/.*)?$/.test(url)) bytes += Number(headers['content-length'])
  })
  await page.waitForLoadState('networkidle')
  await page.goto('about:blank')
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  const milliseconds = await timeOf(page, '/', 'Requests, last 15 minutes')
  await page.context().close()
  return { bytes, milliseconds }
}

async function timesOf(path: string, text: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const { page } = await journey.open('/account')
    times.push(await timeOf(page, path, text))
    await page.context().close()
  }
  return times
}

/** From the navigation until a text is seen. */
async function timeOf(page: Page, path: string, text: string): Promise<number> {
  const begun = performance.now()
  await page.goto(`${journey.program.frontUrl}/console${path}`, { waitUntil: 'commit' })
  await page.getByText(text, { exact: true }).first().waitFor()
  return performance.now() - begun
}

/** From the end of the response until the next frame has its rows. */
async function gridTimes(): Promise<readonly number[]> {
  const { page } = await journey.open('/data/measurement')
  await page.getByRole('gridcell', { name: 'text 1', exact: true }).waitFor()
  const session = await page.context().newCDPSession(page)
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const shown = evaluate(session, waitForRows)
    await page.getByRole('button', { name: 'Next page' }).click()
    times.push(Number(await shown))
  }
  await page.context().close()
  return times
}

async function evaluate(session: CDPSession, expression: string): Promise<unknown> {
  const options = { expression, awaitPromise: true, returnByValue: true }
  return (await session.send('Runtime.evaluate', options)).result.value
}

function print(name: string, values: readonly number[], unit: string): void {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  console.log(`${name}: ${median(values).toFixed(0)} ${unit} (${least.toFixed(0)}–${most.toFixed(0)})`)
}
