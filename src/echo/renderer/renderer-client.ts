import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors/app-error.ts'
import type { Observer } from '../../observe/events.ts'
import { inTime } from '../../util/in-time.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { errorOf } from '../refusal.ts'
import { makeOwnFolder, type OwnFolder } from './own-folder.ts'
import type { RenderJob, RenderMessage, RenderRequest } from './thread-protocol.ts'

/** A thread that has pages drawn, from its start to its end. It ends by `close`, or by a failure of its own. */
export interface RendererThread {
  /** Whether it takes no orders any more. */
  readonly isOver: boolean
  /** Resolved when it has ended, and its files are removed. */
  readonly gone: Promise<void>
  /** Throws what `Drawer.draw` throws, and RENDERER_FAILED when the thread ends. */
  draw(order: RenderJob, signal: AbortSignal): Promise<Uint8Array>
  /** Ends the browser and the thread; whoever waits is refused. */
  close(): Promise<void>
}

/** Starts a thread, whose temporary files lie in a folder of their own. */
export async function startRendererThread(
  settings: RendererSettings,
  observe: Observer,
  thread = threadFile,
): Promise<RendererThread> {
  return new ThreadDrawer(settings, observe, thread, await makeOwnFolder())
}

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

// The file beside this one has this one's ending: .ts from the sources, .js when built.
const threadFile = new URL(`./render-thread${extname(import.meta.url)}`, import.meta.url)

/** How long the thread may take to end its browser and itself, in milliseconds. */
const closeMs = 20_000

/** Beside the time of two tries, what the thread may take for an order: a browser may have to be started and ended. */
const overheadMs = 90_000

class ThreadDrawer implements RendererThread {
  readonly gone: Promise<void>
  readonly #settings: RendererSettings
  readonly #observe: Observer
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastJob = 0
  #isOver = false

  constructor(settings: RendererSettings, observe: Observer, thread: URL, folder: OwnFolder) {
    this.#settings = settings
    this.#observe = observe
    const { path } = folder
    this.#worker = new Worker(thread, {
      workerData: settings,
      env: { TMPDIR: path, TEMP: path, TMP: path },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    this.gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#finish(undefined)
        void folder.remove().then(resolve)
      })
    })
    this.#worker.on('message', (message: RenderMessage) => this.#hear(message))
    this.#worker.on('error', (error) => this.#finish(error))
    this.#worker.unref()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async draw(order: RenderJob, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    if (this.#isOver) throw failed(undefined)
    this.#lastJob += 1
    const job = this.#lastJob
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.#waiting.set(job, { resolve, reject })
    const onLeaving = () => {
      this.#post({ kind: 'leave', job })
      reject(signal.reason)
    }
    signal.addEventListener('abort', onLeaving)
    const timeoutMs = 2 * this.#settings.timeoutMs + overheadMs
    const timer = setTimeout(() => {
      reject(new AppError('FILE_TIMEOUT'))
      void this.#worker.terminate()
    }, timeoutMs)
    // Whoever waits keeps the process alive.
    this.#worker.ref()
    const transfer = order.text.map(({ buffer }) => buffer as ArrayBuffer)
    try {
      this.#post({ kind: 'draw', job, order }, transfer)
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onLeaving)
      this.#waiting.delete(job)
      if (this.#waiting.size === 0 && !this.#isOver) this.#worker.unref()
    }
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#worker.ref()
    this.#post({ kind: 'close' })
    this.#rejectAll(new AppError('SHUTTING_DOWN'))
    if (!(await inTime(this.gone, closeMs))) await this.#worker.terminate()
    await this.gone
  }

  #hear(message: RenderMessage): void {
    if (message.kind === 'event') this.#observe(message.event)
    else if (message.kind === 'failed') this.#finish(errorOf(message.refusal))
    else {
      const waiting = this.#waiting.get(message.job)
      if (message.kind === 'drawn') waiting?.resolve(message.bytes)
      else waiting?.reject(errorOf(message.refusal))
    }
  }

  /** The thread has ended, or is about to. */
  #finish(cause: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#observe({ kind: 'RendererLost', reason: reasonOf(cause) })
    this.#rejectAll(failed(cause))
  }

  #rejectAll(error: AppError): void {
    for (const { reject } of this.#waiting.values()) reject(error)
  }

  #post(request: RenderRequest, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer)
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error ? `Its thread has ended: ${cause.message}` : 'Its thread has ended.'
}

function failed(cause: unknown): AppError {
  return new AppError('RENDERER_FAILED', { headers: { 'retry-after': '1' }, cause })
}
