/** Makes files from templates: fills them in a thread, and renders pages in a browser. */
import { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import type { EchoSettings } from './echo-settings.ts'
import { extensionOf } from './file-name.ts'
import { createRenderer } from './renderer/create-renderer.ts'
import { describeCharacters } from './renderer/describe-characters.ts'
import type { Renderer } from './renderer/renderer.ts'
import { extensionsOf } from './template/choose-output.ts'
import type { FilledFile } from './template/fill-template.ts'
import type { SentJob } from './template/read-job.ts'
import { type OpenFile, startTemplateFiller, type TemplateFiller } from './template/template-filler.ts'

/** The client that requests a file. */
interface EchoClient {
  readonly requestId: string
  /** Aborted when the client no longer waits for the file. */
  readonly signal: AbortSignal
}

/** A file to be delivered. */
export interface MadeFile extends Pick<FilledFile, 'fileName' | 'mediaType'> {
  /** Produced as fast as it is consumed. */
  readonly content: AsyncIterable<Uint8Array>
  /** Length of the content in bytes, if known. */
  readonly length?: number
}

/** A template as clients may know it: nothing of its contents. */
interface ListedTemplate {
  readonly name: string
  /** The extensions that its files may have, without dots; the first is the default. */
  readonly extensions: readonly string[]
}

export interface EchoService {
  /** The templates, by name. */
  readonly templates: readonly ListedTemplate[]
  /**
   * Makes a file and delivers it. Throws the errors of jobs, templates and the renderer, TOO_BUSY, and those of
   * `deliver`.
   */
  make(request: SentJob, client: EchoClient, deliver: (file: MadeFile) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export interface EchoParts {
  readonly settings: EchoSettings
  readonly observe: Observer
}

/** The service; throws TEMPLATES_UNUSABLE. */
export async function startEcho(parts: EchoParts): Promise<EchoService> {
  const { settings, observe } = parts
  const { parallel, queue, timeoutMs } = settings.renderer
  const onReload = (mistakes: readonly string[]) => observe({ kind: 'TemplatesReloaded', mistakes })
  const hasTemplates = settings.templates.length > 0
  const filler = hasTemplates ? await startTemplateFiller({ settings, timeoutMs, onReload }) : undefined
  const renderer = createRenderer(settings.renderer, observe)
  let underWay = 0

  return {
    templates: settings.templates
      .map((template) => ({ name: template.name, extensions: extensionsOf(template) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    async make(request, client, deliver) {
      const job: Job = { begun: performance.now(), others: underWay, bytes: 0, waitedMs: 0 }
      underWay += 1
      try {
        if (job.others >= parallel + queue)
          throw new AppError('TOO_BUSY', {
            detail:
              'Too many files are being made or wait (echo.parallel, echo.queue). Try again in a few seconds.',
            headers: { 'retry-after': '5' },
          })
        if (filler === undefined) throw noTemplates()
        await makeFile({ request, client, deliver, job, filler, renderer, observe })
        observe({
          kind: 'FileMade',
          template: job.file?.template ?? '',
          format: extensionOf(job.file?.fileName ?? ''),
          bytes: job.bytes,
          waitedMilliseconds: job.waitedMs,
          milliseconds: performance.now() - job.begun,
          others: job.others,
          requestId: client.requestId,
        })
      } catch (error) {
        observe({
          kind: 'FileFailed',
          ...(job.file === undefined ? {} : { template: job.file.template }),
          code: codeOf(error, client),
          milliseconds: performance.now() - job.begun,
          requestId: client.requestId,
        })
        throw error
      } finally {
        underWay -= 1
      }
    },

    async close() {
      await Promise.all([filler?.close(), renderer.close()])
    },
  }
}

/** A file in progress, for observers. */
interface Job {
  readonly begun: number
  readonly others: number
  file?: FilledFile
  bytes: number
  waitedMs: number
}

interface Making {
  readonly request: SentJob
  readonly client: EchoClient
  readonly deliver: (file: MadeFile) => Promise<void>
  readonly job: Job
  readonly filler: TemplateFiller
  readonly renderer: Renderer
  readonly observe: Observer
}

async function makeFile({ request, client, deliver, job, filler, renderer, observe }: Making): Promise<void> {
  const open = await filler.open(request)
  const { file } = open
  job.file = file
  try {
    // Nothing is sent before the first piece: most mistakes are found by then.
    const first = await open.next()
    const text = textOf(open, first, client.signal)
    const { fileName, mediaType, picture } = file
    if (picture === undefined) return await deliver({ fileName, mediaType, content: counted(text, job) })
    const { format, page, image } = file
    const title = fileName.slice(0, fileName.lastIndexOf('.'))
    const renderJob = { picture, title, format, page, image, text: await all(text) }
    const drawn = await renderer.draw(renderJob, client.signal)
    job.waitedMs = drawn.waitedMs
    const { bytes, missing } = drawn
    if (missing.length > 0) {
      const { template } = file
      observe({
        kind: 'CharactersMissing',
        template,
        ...describeCharacters(missing),
        requestId: client.requestId,
      })
    }
    const content = counted(only(bytes), job)
    await deliver({ fileName, mediaType, length: bytes.length, content })
  } finally {
    open.close()
  }
}

async function* textOf(
  open: OpenFile,
  first: Uint8Array | undefined,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  for (let piece = first; piece !== undefined; piece = await open.next()) {
    signal.throwIfAborted()
    yield piece
  }
}

async function* counted(pieces: AsyncIterable<Uint8Array>, job: Job): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    job.bytes += piece.length
    yield piece
  }
}

async function* only(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece
}

/** The longest text that the browser gets, in bytes. */
const longestPage = 32 * 1024 * 1024

async function all(pieces: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > longestPage)
      throw new AppError('FILE_TOO_LARGE', { detail: 'The page has more than 32 MB.' })
    parts.push(piece)
  }
  return parts
}

function noTemplates(): AppError {
  return new AppError('TEMPLATE_UNKNOWN', { detail: 'The configuration has no templates.' })
}

function codeOf(error: unknown, { signal }: EchoClient): string {
  if (signal.aborted) return 'CLIENT_GONE'
  return error instanceof AppError ? error.code : 'INTERNAL'
}
