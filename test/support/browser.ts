import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { has } from './machine.ts'

/** Where the tests look for Chromium. */
export const chromiumPath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Whether this machine has Chromium. */
export const hasBrowser = has('Chromium')

/** Of this process: the processes of a browser take longer to start than most pages to be tested. */
let kept: Promise<Browser> | undefined

/** How long a page is waited for, in milliseconds: it comes soon, or late on a busy machine. */
const longestWaitMs = 60_000

/** A browser that calls no one by itself. Closing it closes what was opened in it; the next test uses its processes again. */
export async function startBrowser(): Promise<Browser> {
  kept ??= launch()
  const browser = await kept
  const opened = new Set<BrowserContext>()
  const own: Partial<Browser> = {
    async newContext(options) {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(longestWaitMs)
      opened.add(context)
      return context
    },
    async newPage(options) {
      const page = await browser.newPage(options)
      page.setDefaultTimeout(longestWaitMs)
      opened.add(page.context())
      return page
    },
    async close() {
      await Promise.all([...opened].map((context) => context.close()))
    },
  }
  return new Proxy(browser, {
    get: (target, name) => own[name as keyof Browser] ?? Reflect.get(target, name, target),
  })
}

function launch(): Promise<Browser> {
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
  /** Requests to other hosts than its own; parts of the browser, such as its viewer of PDFs, are none. */
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
    if (!/^(?:data|chrome|chrome-extension):$/.test(protocol) && asked !== origin)
      strangers.push(request.url())
  })
  return { complaints, strangers }
}
