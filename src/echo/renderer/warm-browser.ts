/**
 * Keeps one browser running, with one empty page ready for the next file. A browser that has ended, or does not close
 * a page, is replaced when the next file is requested.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Observer } from '../../observe/events.ts'
import { inTime } from '../../util/in-time.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { type IsolatedBrowser, type IsolatedPage, startIsolatedBrowser } from './isolated-browser.ts'
import { endProcess, memoryOf, stepBackProcess } from './processes.ts'

/** A page for one file. */
export interface TakenPage extends IsolatedPage {
  /** Aborted when its browser has ended. */
  readonly lost: AbortSignal
}

/** How often the memory of the browser is checked while it renders, in milliseconds. */
const lookMs = 500

/** How long a page may take to close, in milliseconds. */
const closeMs = 5000

/** How many browsers are tried for a page. */
const mostAttempts = 3

export class WarmBrowser {
  readonly #settings: RendererSettings
  readonly #observe: Observer
  #running: Promise<IsolatedBrowser> | undefined
  #spare: Promise<TakenPage> | undefined
  readonly #leaving = new Set<Promise<unknown>>()
  #inUse = 0
  #watch: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(settings: RendererSettings, observe: Observer) {
    this.#settings = settings
    this.#observe = observe
  }

  /** An unused page. Throws RENDERER_MISSING, RENDERER_FAILED and SHUTTING_DOWN. */
  async takePage(): Promise<TakenPage> {
    const page = await this.#takeSpare()
    this.#inUse += 1
    this.#watch ??= setInterval(() => void this.#limitMemory(), lookMs).unref()
    return page
  }

  /** Returns a page, which is closed: each is used once. */
  givePage(page: TakenPage): void {
    this.#inUse -= 1
    if (this.#inUse === 0) {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
    const running = this.#running
    void this.#follow(
      inTime(page.close(), closeMs).then(async (isClosed) => {
        if (!isClosed) await this.#retire(running, 'It kept a page open.')
        else if (this.#inUse === 0) this.#prepare()
      }),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    await this.#retire(this.#running)
    while (this.#leaving.size > 0) await Promise.all(this.#leaving)
  }

  async #takeSpare(): Promise<TakenPage> {
    const spare = this.#spare
    this.#spare = undefined
    try {
      if (spare !== undefined) return await spare
    } catch {
      // Its browser has ended meanwhile.
    }
    for (let attempt = 1; ; attempt += 1) {
      const running = this.#browser()
      try {
        return await openPage(await running)
      } catch (cause) {
        if (cause instanceof AppError) throw cause
        await this.#retire(running, 'It opened no page.')
        if (attempt === mostAttempts) {
          throw new AppError('RENDERER_FAILED', { headers: { 'retry-after': '1' }, cause })
        }
      }
    }
  }

  /** Prepares a page for the next file. */
  #prepare(): void {
    const running = this.#running
    if (this.#isClosed || running === undefined || this.#spare !== undefined) return
    const spare = running.then(openPage)
    this.#spare = spare
    spare.catch(() => {
      if (this.#spare === spare) this.#spare = undefined
    })
  }

  #browser(): Promise<IsolatedBrowser> {
    if (this.#isClosed) throw new AppError('SHUTTING_DOWN')
    const running = this.#running ?? this.#start()
    this.#running = running
    return running
  }

  async #start(): Promise<IsolatedBrowser> {
    const begun = performance.now()
    try {
      const browser = await startIsolatedBrowser(this.#settings)
      await stepBackProcess(browser.pid)
      this.#observe({ kind: 'RendererStarted', milliseconds: performance.now() - begun })
      const retire = () => void this.#retire(this.#running, 'It ended by itself.', browser)
      if (browser.ended.aborted) retire()
      browser.ended.addEventListener('abort', retire, { once: true })
      return browser
    } catch (error) {
      this.#running = undefined
      throw error
    }
  }

  /** Ends a browser; the next caller gets a new one. `only` restricts this to one browser. */
  async #retire(
    running: Promise<IsolatedBrowser> | undefined,
    reason?: string,
    only?: IsolatedBrowser,
  ): Promise<void> {
    if (running === undefined || running !== this.#running) return
    const browser = await running.catch(() => undefined)
    if (running !== this.#running || browser === undefined || (only ?? browser) !== browser) return
    this.#running = undefined
    this.#spare = undefined
    if (reason !== undefined) this.#observe({ kind: 'RendererLost', reason })
    await this.#follow(browser.close())
  }

  /** Ends only the page that uses all memory: other files continue. */
  async #limitMemory(): Promise<void> {
    const browser = await this.#running?.catch(() => undefined)
    const processes = (await browser?.processes().catch(() => [])) ?? []
    const amounts = await Promise.all(processes.map(memoryOf))
    const all = amounts.reduce((sum, amount) => sum + amount, 0)
    if (all <= this.#settings.maxMemoryBytes) return
    const greatest = processes[amounts.indexOf(Math.max(...amounts))]
    this.#observe({ kind: 'RendererLost', reason: 'A page took more memory than echo.maxMemory.' })
    if (greatest !== undefined) endProcess(greatest)
  }

  /** Work that `close` waits for. */
  #follow<Result>(work: Promise<Result>): Promise<Result> {
    this.#leaving.add(work)
    const forget = () => void this.#leaving.delete(work)
    work.then(forget, forget)
    return work
  }
}

/** A browser that has ended may never respond. */
async function openPage(browser: IsolatedBrowser): Promise<TakenPage> {
  const { ended } = browser
  const opening = Promise.withResolvers<IsolatedPage>()
  const giveUp = () => opening.reject(new Error('The browser has ended.'))
  if (ended.aborted) giveUp()
  ended.addEventListener('abort', giveUp, { once: true })
  browser.openPage().then(opening.resolve, opening.reject)
  try {
    return { ...(await opening.promise), lost: ended }
  } finally {
    ended.removeEventListener('abort', giveUp)
  }
}
