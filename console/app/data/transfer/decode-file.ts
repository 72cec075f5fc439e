/** The text of files in several encodings. */
import { FileFault } from './file-fault.ts'

/** Encodings that can be chosen: https://encoding.spec.whatwg.org/#names-and-labels */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'windows-1251',
] as const

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Guesses the encoding of a file by its byte order mark, its zeros, and whether it is valid UTF-8. */
export async function guessEncoding(file: Blob, language: string, signal: AbortSignal): Promise<string> {
  const head = new Uint8Array(await file.slice(0, 1000).arrayBuffer())
  const marked = marks.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))
  if (marked !== undefined) return marked[0]
  const zeros = [0, 1].map(
    (parity) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length,
  )
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) > head.length / 5) return even > odd ? 'utf-16be' : 'utf-16le'
  for (const encoding of language === 'ja' ? ['utf-8', 'shift_jis', 'euc-jp'] : ['utf-8']) {
    if (await isValid(file, encoding, signal)) return encoding
  }
  return 'windows-1252'
}

async function isValid(file: Blob, encoding: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _piece of decodedPieces(file, encoding, signal)) signal.throwIfAborted()
    return true
  } catch (error) {
    if (error instanceof FileFault) return false
    throw error
  }
}

/** The text of a file piece by piece, without its byte order mark. Throws a `FileFault` for what is not in the encoding. */
export async function* decodedPieces(
  file: Blob,
  encoding: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      yield decoded(() => decoder.decode(value, { stream: !done }))
      if (done) return
    }
  } finally {
    await reader.cancel()
  }
}

/** The whole text of a file, whose end may be in the middle of a character. */
export async function textOf(file: Blob, encoding: string): Promise<string> {
  const bytes = await file.arrayBuffer()
  return decoded(() => new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }))
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new FileFault('encoding')
  }
}
