import { type Browser, chromium, type Page } from 'playwright-core'
import { has } from './machine.ts'

/** Where the tests look for Chromium. */
export const chromiumPath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Whether this machine has Chromium. */
export const hasBrowser = has('Chromium')

/** A browser that calls no one by itself. */
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
