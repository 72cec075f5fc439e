/** Fills templates in a thread of its own, which is started again should it fail or take too long. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import type { TemplatesSettings } from '../echo-settings.ts'
import { errorOf } from '../refusal.ts'
import type { FilledFile } from './fill-template.ts'
import type { SentJob } from './read-job.ts'
import type { ThreadAnswer, ThreadMessage, ThreadRequest } from './thread-protocol.ts'

/** A file whose text comes when it is asked for. */
export interface OpenFile {
  readonly file: FilledFile
  /** The next piece of UTF-8 text; undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  /** Gives up what is left. */
  close(): void
}

export interface TemplateFiller {
  /** Throws the errors of `readOrder` and `fillTemplate`; FILE_TIMEOUT and FILE_TOO_LARGE for what a thread cannot do. */
  open(order: SentJob): Promise<OpenFile>
  close(): Promise<void>
}

export interface TemplateFillerParts {
  readonly settings: TemplatesSettings
  /** How long one step may take, in milliseconds: reading an order, or making a piece of about 64 kB. */
  readonly timeoutMs: number
  /** Told when changed files were read, with what is wrong in them. */
  readonly onReload: (mistakes: readonly string[]) => void
}

/** Reads all templates; throws TEMPLATES_UNUSABLE with every mistake in its detail. */
export async function startTemplateFiller(parts: TemplateFillerParts): Promise<TemplateFiller> {
  const filler = new ThreadFiller(parts)
  const mistakes = await filler.start()
  if (mistakes.length === 0) return filler
  await filler.close()
  throw new AppError('TEMPLATES_UNUSABLE', { detail: mistakes.join('\n') })
}

/** A file that a thread has begun. */
interface BegunFile {
  readonly file: FilledFile
  readonly job: number
  readonly thread: Worker
}

interface Waiting {
  readonly resolve: (answer: ThreadAnswer) => void
  readonly reject: (error: Error) => void
}

// The file beside this one has this one's ending: .ts from the sources, .js when built.
const threadFile = new URL(`./template-thread${extname(import.meta.url)}`, import.meta.url)

class ThreadFiller implements TemplateFiller {
  readonly #parts: TemplateFillerParts
  #thread: Worker | undefined
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #lastJob = 0

  constructor(parts: TemplateFillerParts) {
    this.#parts = parts
  }

  start(): Promise<readonly string[]> {
    const loaded = Promise.withResolvers<readonly string[]>()
    const thread = new Worker(threadFile, {
      workerData: this.#parts.settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    thread.on('message', (message: ThreadMessage) => {
      if (message.kind === 'loaded') {
        loaded.resolve(message.mistakes)
        if (this.#waiting.length === 0) thread.unref()
      } else if (message.kind === 'reloaded') this.#parts.onReload(message.mistakes)
      else this.#settle(message)
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      loaded.reject(error)
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const refusal = isMemory ? new AppError('FILE_TOO_LARGE') : new AppError('INTERNAL', { cause: error })
      this.#replace(thread, refusal)
    })
    this.#thread = thread
    return loaded.promise
  }

  async open(order: SentJob): Promise<OpenFile> {
    let begun = await this.#begin(order)
    const { file } = begun
    let isTaken = false
    return {
      file,
      next: async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            const piece = await this.#next(begun)
            isTaken = true
            return piece
          } catch (error) {
            if (!(error instanceof ThreadLost)) throw error
            if (isTaken || attempt === mostAttempts) throw tooBusy()
            begun = await this.#begin(order)
          }
        }
      },
      close: () => {
        const { thread, job } = begun
        if (thread === this.#thread) thread.postMessage({ kind: 'close', job } satisfies ThreadRequest)
      },
    }
  }

  async #begin(order: SentJob): Promise<BegunFile> {
    this.#lastJob += 1
    const job = this.#lastJob
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#ask({ kind: 'open', job, order })
        invariant(answer.kind === 'file' && this.#thread !== undefined, 'an order is answered by a file')
        return { file: answer.file, job, thread: this.#thread }
      } catch (error) {
        if (!(error instanceof ThreadLost)) throw error
        if (attempt === mostAttempts) throw tooBusy()
      }
    }
  }

  async #next({ thread, job }: BegunFile): Promise<Uint8Array | undefined> {
    if (thread !== this.#thread) throw new ThreadLost()
    const answer = await this.#ask({ kind: 'next', job })
    return answer.kind === 'piece' ? answer.bytes : undefined
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    clearTimeout(this.#timer)
    this.#rejectAll(new AppError('SHUTTING_DOWN'))
    await thread?.terminate()
  }

  #ask(request: ThreadRequest): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#thread === undefined) return reject(new AppError('SHUTTING_DOWN'))
      this.#waiting.push({ resolve, reject })
      if (this.#waiting.length === 1) this.#watch()
      this.#thread.postMessage(request)
    })
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.shift()
    this.#watch()
    if (answer.kind === 'refused') waiting?.reject(errorOf(answer.refusal))
    else waiting?.resolve(answer)
  }

  /** The first of those who wait is the one that is served. */
  #watch(): void {
    clearTimeout(this.#timer)
    const thread = this.#thread
    if (thread === undefined) return
    if (this.#waiting.length === 0) {
      thread.unref()
      return
    }
    // Whoever waits keeps the process alive.
    thread.ref()
    this.#timer = setTimeout(() => this.#replace(thread, new AppError('FILE_TIMEOUT')), this.#parts.timeoutMs)
    this.#timer.unref()
  }

  /** Ends a thread that is of no more use. Whoever it served is refused; the others may begin again. */
  #replace(thread: Worker, refusal: AppError): void {
    if (thread !== this.#thread) return
    thread.removeAllListeners()
    thread.on('error', () => {})
    void thread.terminate()
    clearTimeout(this.#timer)
    const [served, ...others] = this.#waiting
    this.#waiting = []
    this.start().catch((cause: unknown) => this.#rejectAll(new AppError('INTERNAL', { cause })))
    served?.reject(refusal)
    for (const { reject } of others) reject(new ThreadLost())
  }

  #rejectAll(error: Error): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { reject } of waiting) reject(error)
  }
}

/** The thread was replaced because of somebody else's file. */
class ThreadLost extends Error {}

/** How often a file is begun that others have spoiled. */
const mostAttempts = 3

function tooBusy(): AppError {
  return new AppError('TOO_BUSY', { headers: { 'retry-after': '1' } })
}
