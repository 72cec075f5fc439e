/**
 * The thread that fills templates: whatever a template costs, it costs nobody else. A file is made a piece at a time,
 * when its piece is asked for, so that any number of files are under way together.
 */
import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import type { TemplatesSettings } from '../echo-settings.ts'
import { refusalOf } from '../refusal.ts'
import { fillTemplate } from './fill-template.ts'
import { filesOf, type LoadedTemplates, loadTemplates } from './load-templates.ts'
import { readJob } from './read-job.ts'
import type { ThreadAnswer, ThreadMessage, ThreadRequest } from './thread-protocol.ts'

/** Pieces are put together until they are about this long. */
const pieceLength = 65_536

const settings = workerData as TemplatesSettings
const port = parentPort
invariant(port !== null, 'this file runs in a thread')

const jobs = new Map<number, Iterator<string>>()
const encoder = new TextEncoder()
let loaded: LoadedTemplates = loadTemplates(settings)
let versions = versionsOfFiles()
post({ kind: 'loaded', mistakes: loaded.mistakes })
port.on('message', (request: ThreadRequest) => serve(request))

function serve(request: ThreadRequest): void {
  if (request.kind === 'close') {
    jobs.delete(request.job)
    return
  }
  try {
    post(request.kind === 'open' ? open(request) : next(request.job))
  } catch (error) {
    jobs.delete(request.job)
    post({ kind: 'refused', job: request.job, refusal: refusalOf(error) })
  }
}

function open({ job, order }: ThreadRequest & { readonly kind: 'open' }): ThreadAnswer {
  const wanted = readJob(order)
  reload()
  const { file, pieces } = fillTemplate(loaded.templates, wanted)
  jobs.set(job, pieces[Symbol.iterator]())
  return { kind: 'file', job, file }
}

function next(job: number): ThreadAnswer {
  const pieces = jobs.get(job)
  invariant(pieces !== undefined, 'a piece is asked for while there are some')
  const texts: string[] = []
  for (let length = 0; length < pieceLength; ) {
    const { value, done } = pieces.next()
    if (done) {
      if (texts.length > 0) break
      jobs.delete(job)
      return { kind: 'end', job }
    }
    texts.push(value)
    length += value.length
  }
  return { kind: 'piece', job, bytes: encoder.encode(texts.join('')) }
}

function reload(): void {
  if (!settings.reload) return
  const current = versionsOfFiles()
  if (current === versions) return
  versions = current
  const fresh = loadTemplates(settings)
  post({ kind: 'reloaded', mistakes: fresh.mistakes })
  if (fresh.mistakes.length > 0) {
    versions = ''
    throw new AppError('TEMPLATE_FAILED', { detail: `${fresh.mistakes.join('. ')}.` })
  }
  loaded = fresh
}

function versionsOfFiles(): string {
  const versionOf = (file: string) => {
    const { mtimeMs, size, ino } = statSync(file, { throwIfNoEntry: false }) ?? {
      mtimeMs: 0,
      size: 0,
      ino: 0,
    }
    return `${mtimeMs} ${size} ${ino}`
  }
  return filesOf(settings).map(versionOf).join('\n')
}

function post(message: ThreadMessage): void {
  port?.postMessage(message, message.kind === 'piece' ? [message.bytes.buffer as ArrayBuffer] : [])
}
