/**
 * The thread that fills templates, so that an expensive template does not delay anything else. Files are made in
 * pieces, each on demand, so that any number of files can be in progress.
 */
import { statSync } from 'node:fs'
import { AppError } from '../../errors/app-error.ts'
import type { Serving } from '../../worker/call-server.ts'
import { HandedOver, Streamed } from '../../worker/calls.ts'
import { serveThread } from '../../worker/thread-server.ts'
import type { TemplatesSettings } from '../echo-settings.ts'
import { refusalOf } from '../refusal.ts'
import { fillTemplate } from './fill-template.ts'
import { filesOf, loadTemplates } from './load-templates.ts'
import { readJob } from './read-job.ts'
import type { TemplateCalls, TemplatesReloaded } from './template-calls.ts'

/** Text is collected into pieces of about this length. */
const pieceLength = 65_536

const encoder = new TextEncoder()

serveThread(serveTemplates, refusalOf)

function serveTemplates(settings: TemplatesSettings, serving: Serving<TemplatesReloaded>): TemplateCalls {
  let loaded = loadTemplates(settings)
  let versions = versionsOfFiles(settings)

  function reload(): void {
    if (!settings.reload) return
    const current = versionsOfFiles(settings)
    if (current === versions) return
    versions = current
    const fresh = loadTemplates(settings)
    serving.tell({ mistakes: fresh.mistakes })
    if (fresh.mistakes.length > 0) {
      versions = ''
      throw new AppError('TEMPLATE_FAILED', { detail: `${fresh.mistakes.join('. ')}.` })
    }
    loaded = fresh
  }

  return {
    mistakes: () => loaded.mistakes,
    fill(job) {
      const wanted = readJob(job)
      reload()
      const { file, pieces } = fillTemplate(loaded.templates, wanted)
      return new Streamed(file, longPieces(pieces))
    },
  }
}

function* longPieces(texts: Iterable<string>): Generator<HandedOver<Uint8Array>, void> {
  let parts: string[] = []
  let length = 0
  for (const text of texts) {
    parts.push(text)
    length += text.length
    if (length < pieceLength) continue
    yield encoded(parts)
    parts = []
    length = 0
  }
  if (parts.length > 0) yield encoded(parts)
}

function encoded(parts: readonly string[]): HandedOver<Uint8Array> {
  const bytes = encoder.encode(parts.join(''))
  return new HandedOver(bytes, [bytes.buffer])
}

function versionsOfFiles(settings: TemplatesSettings): string {
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
