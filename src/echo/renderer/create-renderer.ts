import { AppError } from '../../errors/app-error.ts'
import type { Observer } from '../../observe/events.ts'
import { cancellationOf } from '../../util/cancellation-token.ts'
import { Semaphore } from '../../util/semaphore.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { removeLeftFolders } from './own-folder.ts'
import type { Drawn, Renderer } from './renderer.ts'
import { type RendererThread, startRendererThread } from './renderer-client.ts'

/** How long an order waits for its turn, in milliseconds. */
const turnMs = 60_000

/**
 * A renderer by the headless browser of this machine, which is started with the first order. What a process that was
 * killed left of its browser is cleared away at once. `thread` is the file that runs in the thread, should it be
 * another than usual.
 */
export function createRenderer(settings: RendererSettings, observe: Observer, thread?: URL): Renderer {
  const semaphore = new Semaphore(settings.parallel)
  const clearing = removeLeftFolders()
  let current: Promise<RendererThread> | undefined
  let isClosed = false

  /** The thread that draws; a new one as soon as the one before has ended. */
  async function drawer(): Promise<RendererThread> {
    for (;;) {
      if (isClosed) throw new AppError('SHUTTING_DOWN')
      current ??= startRendererThread(settings, observe, thread)
      const asked = current
      const open = await asked.catch((cause: unknown) => failedToStart(asked, cause))
      if (!open.isOver) return open
      await open.gone
      forget(asked)
    }
  }

  function failedToStart(asked: Promise<RendererThread>, cause: unknown): never {
    forget(asked)
    throw new AppError('RENDERER_FAILED', { cause })
  }

  function forget(asked: Promise<RendererThread>): void {
    if (current === asked) current = undefined
  }

  return {
    async draw(order, signal): Promise<Drawn> {
      const begun = performance.now()
      let waitedMs = 0
      const refuse = (reason: 'late' | 'aborted') =>
        reason === 'late'
          ? new AppError('TOO_BUSY', { headers: { 'retry-after': '30' } })
          : new Error('The client left.')
      const bytes = await semaphore.run(
        async () => {
          waitedMs = performance.now() - begun
          return (await drawer()).draw(order, signal)
        },
        { waitMs: turnMs, cancellation: cancellationOf(signal), refuse },
      )
      return { bytes, waitedMs }
    },

    async close() {
      isClosed = true
      const [open] = await Promise.all([current?.catch(() => undefined), clearing])
      await open?.close()
    },
  }
}
