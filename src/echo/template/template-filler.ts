/** Fills templates in a separate thread, which is restarted if it fails or takes too long. */
import { AppError } from '../../errors/app-error.ts'
import type { WorkerStream } from '../../worker/calls.ts'
import { ReplacedWorker } from '../../worker/replaced-worker.ts'
import { fileBeside, inThread } from '../../worker/start-worker.ts'
import { WorkerChannel } from '../../worker/worker-channel.ts'
import { WorkerLost } from '../../worker/worker-lost.ts'
import type { TemplatesSettings } from '../echo-settings.ts'
import { errorOf, type Refusal } from '../refusal.ts'
import type { FilledFile } from './fill-template.ts'
import type { SentJob } from './read-job.ts'
import type { TemplateCalls, TemplatesReloaded } from './template-calls.ts'

/** A file whose text is made on demand. */
export interface OpenFile {
  readonly file: FilledFile
  /** The next piece of UTF-8 text; undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  /** Discards the remaining text. */
  close(): void
}

export interface TemplateFiller {
  /**
   * Throws the errors of `readJob` and `fillTemplate`; FILE_TIMEOUT and FILE_TOO_LARGE if the thread exceeds its
   * limits.
   */
  open(job: SentJob): Promise<OpenFile>
  close(): Promise<void>
}

export interface TemplateFillerParts {
  readonly settings: TemplatesSettings
  /** Time limit for one step, in milliseconds: reading a job, or making a piece of about 64 kB. */
  readonly timeoutMs: number
  /** Called when changed files were read, with their mistakes. */
  readonly onReload: (mistakes: readonly string[]) => void
}

/** Reads all templates; throws TEMPLATES_UNUSABLE with every mistake in its detail. */
export async function startTemplateFiller(parts: TemplateFillerParts): Promise<TemplateFiller> {
  const filler = new ThreadFiller(parts)
  const mistakes = await filler.mistakes()
  if (mistakes.length === 0) return filler
  await filler.close()
  throw new AppError('TEMPLATES_UNUSABLE', { detail: mistakes.join('\n') })
}

const threadFile = fileBeside(import.meta.url, 'template-thread')

class ThreadFiller implements TemplateFiller {
  readonly #timeoutMs: number
  readonly #thread: ReplacedWorker<WorkerChannel<TemplateCalls, TemplatesReloaded>>

  constructor({ settings, timeoutMs, onReload }: TemplateFillerParts) {
    this.#timeoutMs = timeoutMs
    const start = inThread(threadFile, {
      data: settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const options = {
      errorOf: (fault: unknown) => errorOf(fault as Refusal),
      lostError,
      onEvent: ({ mistakes }: TemplatesReloaded) => onReload(mistakes),
    }
    this.#thread = new ReplacedWorker(() => {
      const thread = new WorkerChannel<TemplateCalls, TemplatesReloaded>(start, options)
      // The time of the first file counts from this reply, when all templates are read. What ends this call ends those behind it.
      thread.call('mistakes', undefined, { timeoutMs: startMs }).catch(() => undefined)
      return thread
    }, shuttingDown)
  }

  async mistakes(): Promise<readonly string[]> {
    try {
      const thread = await this.#thread.running()
      return await thread.call('mistakes', undefined)
    } catch (cause) {
      if (!(cause instanceof WorkerLost)) throw cause
      const detail = `The thread that reads the templates ended, or took longer than ${startMs / 1000} seconds: they may be too large.`
      throw new AppError('TEMPLATES_UNUSABLE', { detail, cause })
    }
  }

  async open(job: SentJob): Promise<OpenFile> {
    let filling = await this.#begin(job)
    let isTaken = false
    return {
      file: filling.head,
      next: async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            const piece = await filling.next()
            isTaken = true
            return piece
          } catch (error) {
            if (!(error instanceof WorkerLost)) throw error
            if (isTaken || attempt === mostAttempts) throw tooBusy(error)
            filling = await this.#begin(job)
          }
        }
      },
      close: () => filling.close(),
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #begin(job: SentJob): Promise<WorkerStream<FilledFile, Uint8Array>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const thread = await this.#thread.running()
        return await thread.open('fill', job, { timeoutMs: this.#timeoutMs })
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error
        if (attempt === mostAttempts) throw tooBusy(error)
      }
    }
  }
}

/** How long a thread may take to start and to read all templates, in milliseconds. */
const startMs = 120_000

/** How many attempts a file has if other files end the thread. */
const mostAttempts = 3

/** The job that the thread was working on is refused. Other jobs, which get `WorkerLost`, may be retried. */
function lostError(lost: WorkerLost): Error {
  const { reason, isOldest, cause } = lost
  if (reason === 'closed') return shuttingDown()
  if (!isOldest) return lost
  if (reason === 'mute') return new AppError('FILE_TIMEOUT')
  return isOutOfMemory(cause) ? new AppError('FILE_TOO_LARGE') : new AppError('INTERNAL', { cause })
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function shuttingDown(): AppError {
  return new AppError('SHUTTING_DOWN')
}

function tooBusy(cause: WorkerLost): AppError {
  return new AppError('TOO_BUSY', { headers: { 'retry-after': '1' }, cause })
}
