/**
 * Starts the headless browser so that a page in it has access to nothing: no script, no network, no file, nothing of
 * the previous page. Each measure has been seen to fail alone, so they are combined: pages have no scripts, are
 * offline, and every request is aborted; the browser resolves no names and has a proxy that does not exist.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession, Page, Request } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'
import { inTime } from '../../util/in-time.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { abortedWithin } from './aborted-within.ts'
import { findBrowser } from './find-browser.ts'

/** A running browser. */
export interface IsolatedBrowser {
  /** Process id of its main process, the parent of all others. */
  readonly pid: number
  /** Aborted when it has ended, for any reason. */
  readonly ended: AbortSignal
  /** Process ids of those that render, and of others that matter. */
  processes(): Promise<readonly number[]>
  /** A page in a separate context, for one file. */
  openPage(): Promise<IsolatedPage>
  /** Ends it in any case. */
  close(): Promise<void>
}

/** A page, with access to what the library does not offer. */
export interface IsolatedPage {
  readonly page: Page
  readonly session: CDPSession
  close(): Promise<void>
}

type Library = typeof import('playwright-core')

const installLibrary =
  'Install the package "playwright-core" beside Gatehouse (npm install playwright-core) for files of this kind.'
const installBrowser =
  'Install Chromium (on Debian: apt-get install chromium) for files of this kind, or name a browser with echo.browser.'

/** Starts a browser. Throws RENDERER_MISSING with what to install, and RENDERER_FAILED. */
export async function startIsolatedBrowser(settings: RendererSettings): Promise<IsolatedBrowser> {
  const { chromium } = await loadLibrary()
  const executablePath = await findBrowser(settings.executable)
  if (executablePath === undefined) throw new AppError('RENDERER_MISSING', { detail: installBrowser })
  const folder = tmpdir()
  const home = await mkdtemp(join(folder, 'home-'))
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 5 })
  const isRoot = process.getuid?.() === 0
  let browser: Browser | undefined
  try {
    browser = await chromium.launch({
      executablePath,
      chromiumSandbox: settings.sandbox && !isRoot,
      args: closedDoors,
      proxy: deadProxy,
      // No environment variables of this process: they contain secrets.
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: home,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        ...(folder.length > longestFolder ? {} : { TMPDIR: folder }),
      },
      // The service handles signals, and closes the browser when it ends.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    })
    return await watched(browser, removeHome)
  } catch (cause) {
    if (browser !== undefined) await inTime(browser.close(), closeMs)
    await removeHome()
    throw new AppError('RENDERER_FAILED', { cause })
  }
}

/** The browser adds the 45 characters of a socket's path, and socket paths have at most 103 on every system. */
const longestFolder = 58

async function watched(browser: Browser, removeHome: () => Promise<void>): Promise<IsolatedBrowser> {
  const ending = new AbortController()
  browser.once('disconnected', () => ending.abort())
  const session = await browser.newBrowserCDPSession()
  const processInfo = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo
  const pid = (await processInfo()).find(({ type }) => type === 'browser')?.id ?? 0
  return {
    pid,
    processes: async () => (await processInfo()).map(({ id }) => id),
    ended: ending.signal,
    openPage: () => openPage(browser),
    async close() {
      const isClosed = await inTime(browser.close(), closeMs)
      if (!isClosed) killGroup(pid)
      await abortedWithin(ending.signal, closeMs)
      await removeHome()
    },
  }
}

/** How long the browser may take to close, in milliseconds. */
const closeMs = 3000

/** Nothing listens there, and addresses of this machine are not excepted. */
const deadProxy = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' }

const closedDoors: string[] = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-gpu',
  '--disable-file-system',
  '--disable-databases',
  '--disable-speech-api',
  '--no-pings',
  '--block-new-web-contents',
]

async function loadLibrary(): Promise<Library> {
  try {
    return await import('playwright-core')
  } catch (cause) {
    throw new AppError('RENDERER_MISSING', { detail: installLibrary, cause })
  }
}

async function openPage(browser: Browser): Promise<IsolatedPage> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    offline: true,
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  })
  try {
    // If its navigation failed, the page would be replaced by an error page; if it is cancelled, the page stays.
    await context.route('**/*', (route) => route.abort(isNavigation(route.request()) ? 'aborted' : 'failed'))
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    return { page, session, close: () => context.close() }
  } catch (error) {
    await context.close()
    throw error
  }
}

/** Whether a request would replace the page. Frames and objects inside it show their fallback if theirs fail. */
function isNavigation(request: Request): boolean {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame().parentFrame() === null
  } catch {
    // Its page does not exist yet.
    return true
  }
}

function killGroup(pid: number): void {
  if (pid === 0) return
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}
