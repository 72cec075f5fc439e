import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const chromiumPath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Whether this machine has Chromium. Without it its tests are left out; in continuous integration that is an error. */
export const hasBrowser = isInstalled()

function isInstalled(): boolean {
  if (existsSync(chromiumPath)) return true
  const message = `there is no Chromium at ${chromiumPath}; TEST_CHROMIUM says where it is`
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(`Tests in a browser are left out: ${message}.`)
  return false
}

/** A browser that calls nobody by itself. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** What a page did that it must not do, in the order it did it. */
export interface PageMistakes {
  /** Errors and warnings of the console, violations of the content security policy among them; uncaught errors. */
  readonly complaints: readonly string[]
  /** Requests to other hosts than its own. */
  readonly strangers: readonly string[]
}

/** Notes the mistakes of a page from now on. */
export function watchPage(page: Page, origin: string): PageMistakes {
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol !== 'data:' && asked !== origin) strangers.push(request.url())
  })
  return { complaints, strangers }
}
