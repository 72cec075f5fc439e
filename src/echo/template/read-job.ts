/** Reads a request to `/echo`: JSON, or the fields of a form or a query. */
import { AppError, type Mistake } from '../../errors/app-error.ts'
import { parseJsonBody } from '../../http/json-body.ts'

/** A request as it arrived. A query is treated as a form. */
export interface SentJob {
  readonly kind: 'json' | 'form'
  readonly bytes: Uint8Array
}

/** What the request asks for. */
export interface EchoJob {
  readonly template: string
  readonly params: Readonly<Record<string, unknown>>
  readonly filename?: string
}

/** Throws BODY_UNREADABLE, and PARAMETER_INVALID with every mistake. */
export function readJob(sent: SentJob): EchoJob {
  const fields = sent.kind === 'json' ? parseJsonBody(Buffer.from(sent.bytes)) : readForm(sent.bytes)
  if (!isObject(fields)) throw invalid([{ pointer: '', detail: 'A JSON object is expected here.' }])
  const mistakes: Mistake[] = []
  const refuse = (pointer: string, detail: string) => void mistakes.push({ pointer, detail })
  for (const key of Object.keys(fields)) {
    if (!known.includes(key)) {
      refuse(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, `Known keys are ${known.join(', ')}.`)
    }
  }
  const { template, filename } = fields
  if (typeof template !== 'string' || template === '')
    refuse('/template', 'The name of a template is required here.')
  if (filename !== undefined && filename !== null && typeof filename !== 'string')
    refuse('/filename', 'The name of the file is expected here.')
  const params = readParams(fields.params)
  if (params === undefined) refuse('/params', 'A JSON object is expected here, or the text of one.')
  if (mistakes.length > 0) throw invalid(mistakes)
  return {
    template: String(template),
    params: params ?? {},
    ...(typeof filename === 'string' && filename !== '' ? { filename } : {}),
  }
}

const known = ['template', 'params', 'filename']

function invalid(mistakes: readonly Mistake[]): AppError {
  return new AppError('PARAMETER_INVALID', { mistakes })
}

function readForm(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Otherwise URLSearchParams would hide invalid encodings.
    decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new AppError('BODY_UNREADABLE', {
      detail: 'The fields are not valid UTF-8, percent-encoded.',
      cause,
    })
  }
  const fields = [...new URLSearchParams(text)]
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    throw new AppError('BODY_UNREADABLE', { detail: 'Send each field once.' })
  }
  return Object.fromEntries(fields)
}

/** Absent and empty params are undefined. */
function readParams(sent: unknown): Readonly<Record<string, unknown>> | undefined {
  if (sent === undefined || sent === null || sent === '') return {}
  if (typeof sent !== 'string') return isObject(sent) ? sent : undefined
  let value: unknown
  try {
    value = parseJsonBody(Buffer.from(sent.toWellFormed()))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const detail = (error.detail ?? '').replace(/^The (body|JSON) /, 'The text ')
    throw invalid([{ pointer: '/params', detail }])
  }
  return isObject(value) ? value : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
