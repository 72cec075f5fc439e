import { AppError } from '../../errors/app-error.ts'
import type { Observer } from '../../observe/events.ts'
import type { Replaceable } from '../../worker/replaced-worker.ts'
import { fileBeside, inThread } from '../../worker/start-worker.ts'
import { WorkerChannel } from '../../worker/worker-channel.ts'
import type { WorkerLost } from '../../worker/worker-lost.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { errorOf, type Refusal } from '../refusal.ts'
import { makeOwnFolder, type OwnFolder } from './own-folder.ts'
import type { DrawnPage, RenderCalls, RenderEvent, RenderJob } from './render-calls.ts'

/** How long the thread may take to end its browser and itself, in milliseconds. */
const closeMs = 20_000

/** Time that the thread may take for a job in addition to two attempts: a browser may have to be started and ended. */
const overheadMs = 90_000

/** A thread that renders pages, with a separate folder for its temporary files. */
export class RendererThread implements Replaceable {
  /** Resolved when the thread has ended, and its files are removed. */
  readonly gone: Promise<void>
  readonly #channel: WorkerChannel<RenderCalls, RenderEvent>
  readonly #timeoutMs: number

  /** `file` is what runs in the thread. */
  static async start(
    settings: RendererSettings,
    observe: Observer,
    file = fileBeside(import.meta.url, 'render-thread'),
  ): Promise<RendererThread> {
    return new RendererThread(settings, observe, file, await makeOwnFolder())
  }

  private constructor(settings: RendererSettings, observe: Observer, file: URL, folder: OwnFolder) {
    const { path } = folder
    const start = inThread(file, {
      data: settings,
      env: { TMPDIR: path, TEMP: path, TMP: path },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    this.#timeoutMs = 2 * settings.timeoutMs + overheadMs
    this.#channel = new WorkerChannel<RenderCalls, RenderEvent>(start, {
      errorOf: (fault) => errorOf(fault as Refusal),
      lostError,
      onLost: ({ cause }) => observe({ kind: 'RendererLost', reason: reasonOf(cause) }),
      onEvent: (message) => {
        if (message.kind === 'event') observe(message.event)
        else void this.#channel.end(closeMs, errorOf(message.refusal))
      },
    })
    this.gone = this.#channel.gone.then(() => folder.remove())
  }

  get isOver(): boolean {
    return this.#channel.isOver
  }

  /** Throws what `PageRenderer.draw` throws, and RENDERER_FAILED if the thread ends. */
  draw(job: RenderJob, signal: AbortSignal): Promise<DrawnPage> {
    const handedOver = job.text.map(({ buffer }) => buffer as ArrayBuffer)
    return this.#channel.call('draw', job, { signal, handedOver, timeoutMs: this.#timeoutMs })
  }

  /** Ends the browser and the thread; pending jobs are refused. */
  async end(): Promise<void> {
    this.#channel.tell('close', undefined)
    await this.#channel.end(closeMs)
    await this.gone
  }
}

function lostError({ reason, isOldest, cause }: WorkerLost): AppError {
  if (reason === 'closed') return new AppError('SHUTTING_DOWN')
  if (reason === 'mute' && isOldest) return new AppError('FILE_TIMEOUT')
  return new AppError('RENDERER_FAILED', { headers: { 'retry-after': '1' }, cause })
}

function reasonOf(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error ? `Its thread has ended: ${cause.message}` : 'Its thread has ended.'
}
