import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../../errors/app-error.ts'
import type { Observer } from '../../../observe/events.ts'
import { Turnstile } from '../../../util/turnstile.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { drawPage } from './draw-page.ts'
import type { Drawn, DrawOrder, Renderer } from './renderer.ts'
import { type TakenPage, WarmBrowser } from './warm-browser.ts'

/** How long an order waits for its turn, in milliseconds. */
const turnMs = 60_000

/** A renderer by the headless browser of this machine, which is started with the first order. */
export function createRenderer(settings: RendererSettings, observe: Observer): Renderer {
  const turnstile = new Turnstile(settings.parallel)
  const browser = new WarmBrowser(settings, observe)

  async function drawInTurn(order: DrawOrder): Promise<Uint8Array> {
    const once = await drawOnce(order)
    // The browser was lost, perhaps by another file: with a new one it may work.
    const drawn = once === 'lost' ? await drawOnce(order) : once
    if (drawn === 'lost') throw new AppError('RENDERER_FAILED', { headers: { 'retry-after': '1' } })
    return drawn
  }

  async function drawOnce(order: DrawOrder): Promise<Uint8Array | 'lost'> {
    const page = await browser.takePage()
    const over = new AbortController()
    try {
      return await Promise.race([
        drawPage(page, order, settings).catch((error: unknown) => describeFailure(error, page)),
        page.lost.then(() => 'lost' as const),
        crashOf(page),
        wait(settings.timeoutMs, undefined, { signal: over.signal }).then(() => {
          throw new AppError('FILE_TIMEOUT')
        }),
        leavingOf(order.signal),
      ])
    } finally {
      over.abort()
      browser.givePage(page)
    }
  }

  return {
    async draw(order): Promise<Drawn> {
      const begun = performance.now()
      let waitedMs = 0
      const refuse = (reason: 'late' | 'aborted') =>
        reason === 'late'
          ? new AppError('TOO_BUSY', { headers: { 'retry-after': '30' } })
          : new Error('The client left.')
      const bytes = await turnstile.run(
        () => {
          waitedMs = performance.now() - begun
          return drawInTurn(order)
        },
        { waitMs: turnMs, signal: order.signal, refuse },
      )
      return { bytes, waitedMs }
    },
    close: () => browser.close(),
  }
}

/** An error of the library: of a browser that is gone, or of a page that it could not draw. */
async function describeFailure(error: unknown, { lost, page }: TakenPage): Promise<'lost'> {
  if (error instanceof AppError) throw error
  // The browser says that it is gone a little later than what was under way fails.
  const isLost = await Promise.race([lost.then(() => true), wait(page.isClosed() ? 5000 : 500, false)])
  if (isLost) return 'lost'
  if (error instanceof Error && error.name === 'TimeoutError') throw new AppError('FILE_TIMEOUT')
  throw new AppError('RENDERER_FAILED', { cause: error })
}

function crashOf({ page }: TakenPage): Promise<never> {
  return new Promise((_resolve, reject) => {
    page.once('crash', () => {
      const detail = 'The page was more than the browser could bear.'
      reject(new AppError('RENDERER_FAILED', { detail }))
    })
  })
}

function leavingOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
