/** Renders files, one or several at a time, in the headless browser of this machine. */
import type { Frame } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'
import type { Observer } from '../../observe/events.ts'
import { inTime } from '../../util/in-time.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { abortedWithin } from './aborted-within.ts'
import { drawPage, type HtmlPage } from './draw-page.ts'
import { MissingCharacters } from './missing-characters.ts'
import { pageOf } from './page-of.ts'
import type { DrawnPage, RenderJob } from './render-calls.ts'
import { type TakenPage, WarmBrowser } from './warm-browser.ts'

export interface PageRenderer {
  /**
   * Throws RENDERER_MISSING, RENDERER_FAILED, FILE_TOO_LARGE and FILE_TIMEOUT; if the signal is aborted, its reason.
   */
  draw(job: RenderJob, signal: AbortSignal): Promise<DrawnPage>
  /** Ends the browser. */
  close(): Promise<void>
}

/** A renderer, whose browser is started with the first job. */
export function createPageRenderer(settings: RendererSettings, observe: Observer): PageRenderer {
  const browser = new WarmBrowser(settings, observe)
  const missingCharacters = new MissingCharacters()

  async function drawOnce(job: RenderJob, html: string, signal: AbortSignal): Promise<DrawnPage | 'lost'> {
    const page = await browser.takePage()
    const ends = endsOf(page, settings.timeoutMs, signal)
    try {
      const drawing = drawPage(page, { ...job, html }, settings)
      const bytes = await Promise.race([
        drawing.catch((error: unknown) => describeFailure(error, page)),
        ends.promise,
      ])
      ends.forget()
      return bytes === 'lost' ? bytes : { bytes, missing: await findMissing(page, { ...job, html }) }
    } finally {
      ends.forget()
      browser.givePage(page)
    }
  }

  /** The file is good without it: a search that takes too long, or fails because the page is lost, finds nothing. */
  async function findMissing(page: TakenPage, job: HtmlPage): Promise<readonly string[]> {
    let missing: readonly string[] = []
    const finding = missingCharacters.of(page, job).then((found) => {
      missing = found
    })
    await inTime(finding, settings.timeoutMs)
    return missing
  }

  return {
    async draw(job, signal) {
      const html = pageOf(job)
      const once = await drawOnce(job, html, signal)
      // The browser was lost, perhaps because of another file: retried with a new one.
      const drawn = once === 'lost' ? await drawOnce(job, html, signal) : once
      if (drawn === 'lost') throw new AppError('RENDERER_FAILED', { headers: { 'retry-after': '1' } })
      return drawn
    },
    close: () => browser.close(),
  }
}

/** What ends rendering early. `forget` removes all listeners. */
function endsOf({ page, lost }: TakenPage, timeoutMs: number, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<'lost'>()
  const onCrash = () => {
    const detail = 'The page was more than the browser could bear.'
    reject(new AppError('RENDERER_FAILED', { detail }))
  }
  const onNavigation = (frame: Frame) => {
    if (frame !== page.mainFrame()) return
    const detail = 'The page navigates away by itself: remove its <meta http-equiv="refresh">.'
    reject(new AppError('RENDERER_FAILED', { detail }))
  }
  const onLost = () => resolve('lost')
  const onLeaving = () => reject(signal.reason)
  const timer = setTimeout(() => reject(new AppError('FILE_TIMEOUT')), timeoutMs)
  if (lost.aborted) onLost()
  if (signal.aborted) onLeaving()
  lost.addEventListener('abort', onLost)
  signal.addEventListener('abort', onLeaving)
  page.once('crash', onCrash)
  page.on('framenavigated', onNavigation)
  const forget = () => {
    clearTimeout(timer)
    lost.removeEventListener('abort', onLost)
    signal.removeEventListener('abort', onLeaving)
    page.off('crash', onCrash)
    page.off('framenavigated', onNavigation)
  }
  return { promise, forget }
}

/** An error of the library: the browser is gone, or could not render the page. */
async function describeFailure(error: unknown, { lost, page }: TakenPage): Promise<'lost'> {
  if (error instanceof AppError) throw error
  // The browser reports its end slightly later than its pending calls fail.
  if (await abortedWithin(lost, page.isClosed() ? 5000 : 500)) return 'lost'
  if (error instanceof Error && error.name === 'TimeoutError') throw new AppError('FILE_TIMEOUT')
  throw new AppError('RENDERER_FAILED', { cause: error })
}
