import { AppError } from '../../errors/app-error.ts'
import type { Observer } from '../../observe/events.ts'
import { cancellationOf } from '../../util/cancellation-token.ts'
import { Semaphore } from '../../util/semaphore.ts'
import { ReplacedWorker } from '../../worker/replaced-worker.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { removeLeftFolders } from './own-folder.ts'
import type { Drawn, Renderer } from './renderer.ts'
import { RendererThread } from './renderer-client.ts'

/** How long a job waits in the queue, in milliseconds. */
const turnMs = 60_000

/**
 * A renderer that uses the headless browser of this machine, which is started with the first job. Files left over from
 * a killed process are removed immediately. `file` replaces the module that runs in the thread.
 */
export function createRenderer(settings: RendererSettings, observe: Observer, file?: URL): Renderer {
  const semaphore = new Semaphore(settings.parallel)
  const clearing = removeLeftFolders()
  const thread = new ReplacedWorker(start, () => new AppError('SHUTTING_DOWN'))

  async function start(): Promise<RendererThread> {
    try {
      return await RendererThread.start(settings, observe, file)
    } catch (cause) {
      throw new AppError('RENDERER_FAILED', { cause })
    }
  }

  return {
    async draw(job, signal): Promise<Drawn> {
      const begun = performance.now()
      let waitedMs = 0
      const refuse = (reason: 'late' | 'aborted') =>
        reason === 'late'
          ? new AppError('TOO_BUSY', {
              detail: 'Other files took too long to be made (echo.parallel). Try again in half a minute.',
              headers: { 'retry-after': '30' },
            })
          : new Error('The client left.')
      const drawn = await semaphore.run(
        async () => {
          waitedMs = performance.now() - begun
          return (await thread.running()).draw(job, signal)
        },
        { waitMs: turnMs, cancellation: cancellationOf(signal), refuse },
      )
      return { ...drawn, waitedMs }
    },

    async close() {
      await Promise.all([thread.close(), clearing])
    },
  }
}
