import { setImmediate as otherWork } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { AppError } from '../../errors/app-error.ts'

/** More fields than `/echo` knows, so that an unknown one is named. */
const mostFields = 10
const pieceBytes = 65_536

/**
 * The fields of a form that was sent as `multipart/form-data` (https://www.rfc-editor.org/rfc/rfc7578). Other requests are
 * served between pieces of the body. Throws BODY_UNREADABLE, also for files, repeated fields and too many of them.
 */
export async function readMultipart(
  contentType: string,
  bytes: Buffer,
): Promise<Readonly<Record<string, string>>> {
  const fields = new Map<string, string>()
  let mistake: string | undefined
  const refuse = (detail: string) => {
    mistake ??= detail
  }
  const reader = open(contentType, bytes.length)
  reader.on('field', (name, value) => {
    if (fields.has(name)) refuse('Send each field of the form once.')
    fields.set(name, value)
  })
  reader.on('file', (name, file) => {
    file.resume()
    refuse(`The field ${JSON.stringify(name)} holds a file. Send the fields as texts, without a file name.`)
  })
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    reader.on(limit, () => refuse(`Send at most ${mostFields} fields.`))
  }
  const end = Promise.withResolvers<void>()
  reader.on('error', () => {
    refuse('The form is not valid multipart/form-data.')
    end.resolve()
  })
  reader.on('finish', () => end.resolve())
  for (let start = 0; start < bytes.length && mistake === undefined; start += pieceBytes) {
    reader.write(bytes.subarray(start, start + pieceBytes))
    await otherWork()
  }
  if (mistake === undefined) {
    reader.end()
    await end.promise
  } else reader.destroy()
  if (mistake !== undefined) throw unreadable(mistake)
  return Object.fromEntries(fields)
}

function open(contentType: string, length: number) {
  const limits = { parts: mostFields, fields: mostFields, files: 1, fileSize: 1, fieldSize: length + 1 }
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch (cause) {
    throw unreadable('The Content-Type of a form needs a boundary: multipart/form-data; boundary=…', cause)
  }
}

function unreadable(detail: string, cause?: unknown): AppError {
  return new AppError('BODY_UNREADABLE', { detail, cause })
}
