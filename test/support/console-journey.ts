/** What the journeys through the console have in common: a started program, accounts, and pages in a real browser. */
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFailed, TestRunner } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { type PageMistakes, startBrowser, watchPage } from './browser.ts'
import type { TestProduct } from './products.ts'
import { runStatements } from './run-statements.ts'
import { type StartedProgram, startProgram } from './start-program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The password of all accounts. */
export const password = 'a long pass phrase'
const apiKey = 'ghk_0123456789012345678901234567890123'

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

/** How a page of the console is looked at. */
interface View {
  /** Username; by default that of the administrator. */
  readonly account?: string
  readonly device?: keyof typeof devices
  readonly colorScheme?: 'light' | 'dark'
  readonly language?: 'en' | 'ja'
  /** Whether to log in again, as in another browser. */
  readonly isNewLogin?: boolean
}

/** An open page, with what it did that it must not do. */
interface ConsolePage {
  readonly page: Page
  readonly mistakes: PageMistakes
}

/** A program that serves the console, and a browser. */
export interface ConsoleJourney {
  readonly program: StartedProgram
  /** Calls the gateway as the administrator; throws what it says if it refuses. */
  call(method: string, path: string, document?: unknown): Promise<unknown>
  /** Makes a role and an account of the same name that has it. */
  addAccount(name: string, authorities: readonly object[]): Promise<void>
  /** Opens a path of the console, logged in. */
  open(path: string, view?: View): Promise<ConsolePage>
  /** Kills the program, as nothing that it could notice does. */
  kill(): Promise<void>
  /** Starts the killed program again, at the same addresses. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

/** The same on a database of a product, with tables that other statements have made there. */
export async function startConsoleOn(
  product: TestProduct,
  statements: readonly string[] = [],
  ...flags: readonly string[]
): Promise<ConsoleJourney> {
  const { options, remove } = await product.createDatabase()
  await runStatements(options, statements)
  const journey = await startConsoleJourney(...flagsOf(options), ...flags)
  return {
    ...journey,
    async close() {
      await journey.close()
      await remove()
    },
  }
}

function flagsOf(options: DatabaseOptions): readonly string[] {
  if (options.product === 'sqlite') return ['--db_product', 'sqlite', '--db_name', options.file]
  const { product, host, port, user, password = '', name } = options
  const place = ['--db_product', product, '--db_host', host, '--db_port', `${port}`, '--db_user', user]
  return [...place, '--db_name', name, ...(password === '' ? [] : ['--db_pass', password])]
}

/** Starts the program, with more flags if there are any, and a browser. */
export async function startConsoleJourney(...flags: readonly string[]): Promise<ConsoleJourney> {
  const folder = await temporaryFolder()
  const own = ['--admin_password', password, '--admin_api_key', apiKey]
  const program = await startProgram(folder.path, ...own, ...flags)
  let running = program
  const browser = await startBrowser()
  const token = await logOn(program)
  const states = new Map<string, Promise<Awaited<ReturnType<BrowserContext['storageState']>>>>()

  async function call(method: string, path: string, document?: unknown): Promise<unknown> {
    const headers = { 'x-xaas-auth-token': token, 'content-type': 'application/json' }
    const body = document === undefined ? {} : { body: JSON.stringify(document) }
    const response = await fetch(program.url + path, { method, headers, ...body })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    program,
    call,
    async addAccount(name, authorities) {
      await call('POST', '/manage/roles', { name, authorities })
      await call('POST', '/manage/accounts', { username: name, password, role: name })
    },
    async open(path, view = {}) {
      const { account = 'admin', device = 'desktop', colorScheme = 'light', language = 'en' } = view
      const stored = view.isNewLogin ? undefined : states.get(account)
      const state = stored ?? logIn(browser, program, account)
      if (!view.isNewLogin) states.set(account, state)
      const context = await browser.newContext({
        ...devices[device],
        colorScheme,
        // A click that begins while something moves may end beside it.
        reducedMotion: 'reduce',
        locale: language === 'ja' ? 'ja-JP' : 'en-GB',
        timezoneId: 'Europe/Berlin',
        storageState: await state,
      })
      const page = await context.newPage()
      const mistakes = watchPage(page, program.frontUrl)
      // Pages of a whole group of tests are opened before them.
      if (TestRunner.getCurrentTest() !== undefined)
        onTestFailed(({ task }) => addToFailure(task.result?.errors ?? [], page, mistakes))
      await page.goto(`${program.frontUrl}/console${path}`)
      return { page, mistakes }
    },
    async kill() {
      await running.stop('SIGKILL')
    },
    async startAgain() {
      const portOf = (url: string) => new URL(url).port
      const ports = ['--gateway_port', portOf(program.url), '--front_port', portOf(program.frontUrl)]
      running = await startProgram(folder.path, ...own, ...ports, ...flags)
    },
    async close() {
      await browser.close()
      await running.stop('SIGTERM')
      await folder.remove()
    },
  }
}

/** Adds to the errors of a test what a page showed and what it complained of: a test that fails once is hard to repeat. */
async function addToFailure(
  errors: readonly { message: string; stack?: string | undefined }[],
  page: Page,
  { complaints }: PageMistakes,
): Promise<void> {
  const address = page.url()
  const shown = page.isClosed()
    ? 'closed'
    : await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
  for (const error of errors) {
    const more = `\n${address} complained of ${JSON.stringify(complaints)} and showed:\n${shown}`
    error.message += more
    if (error.stack !== undefined) error.stack += more
  }
}

async function logOn({ url }: StartedProgram): Promise<string> {
  const response = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-xaas-api-key': apiKey },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return ((await response.json()) as Record<string, string>)['x-xaas-auth-token'] ?? ''
}

/** Logs in with the form, as a person does, and gives the cookies. */
async function logIn(browser: Browser, { frontUrl }: StartedProgram, username: string) {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${frontUrl}/console/`)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Areas' }).waitFor({ state: 'attached' })
  const state = await context.storageState()
  await context.close()
  return state
}

/** Run in a page: what axe finds. Frames of files are sandboxed, so that it cannot speak with them. */
const findFaults =
  'axe.run({ iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))'

/** Expects that axe finds no fault in a page as it is, and that nothing makes the page wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  // Not `page.evaluate`, which the page's policy forbids to evaluate text.
  const session = await page.context().newCDPSession(page)
  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
    if (exceptionDetails === undefined) return result.value
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  }
  await evaluate(axe.source)
  // It throws if the page changes while it looks, and what fades in has little contrast for a moment.
  await expect.poll(() => evaluate(findFaults).catch(String)).toEqual([])
  const overflow = await evaluate('document.documentElement.scrollWidth - innerWidth')
  await session.detach()
  expect(overflow).toBe(0)
}

/** Keeps a picture of a page where `TEST_SCREENSHOTS` names a folder: those of the documentation are made so. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

/**
 * Expects that a page called no other host, and complained of nothing but of what the test has provoked: browsers tell of
 * each response with an error.
 */
export function expectQuiet({ complaints, strangers }: PageMistakes, provoked?: RegExp): void {
  const unexpected = complaints.filter((complaint) => !provoked?.test(complaint))
  expect({ complaints: unexpected, strangers }).toEqual({ complaints: [], strangers: [] })
}
