/**
 * Compressed responses, for clients that accept them: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1. Only for
 * responses that hold no secret of the gateway: the compressed size reveals something of the text
 * (https://www.breachattack.com).
 */
import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

type Coding = 'br' | 'gzip'

/** Fast rather than small: a response is compressed once and read once. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }
const deflate = { level: 4 }

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotli),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, deflate),
} as const

/** Each piece is flushed, so that the client can read it at once. */
const compressor: Readonly<Record<Coding, () => Transform>> = {
  br: () => createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => createGzip({ ...deflate, flush: constants.Z_SYNC_FLUSH }),
}

/** Shorter texts are written together with the head, which is faster than two writes. */
const shortBytes = 2048

/** Sends UTF-8 text, compressed if it has at least that many bytes and the client accepts it. */
export async function sendBytes(
  reply: FastifyReply,
  bytes: Buffer,
  fromBytes: number,
): Promise<FastifyReply> {
  const coding = codingOf(reply)
  if (coding === undefined || bytes.length < fromBytes)
    return reply.send(bytes.length < shortBytes ? bytes.toString() : bytes)
  const compressed = await compress[coding](bytes)
  return reply.header('content-encoding', coding).send(compressed)
}

/** Sends a long body piece by piece, compressed if the client accepts it. */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<Buffer>): FastifyReply {
  const source = Readable.from(pieces, { objectMode: false })
  const coding = codingOf(reply)
  if (coding === undefined) return reply.send(source)
  // If one of the two ends early, so does the other; the sender of the body gets the error.
  const body = pipeline(source, compressor[coding](), () => undefined)
  return reply.header('content-encoding', coding).send(body)
}

/** The coding of the response; tells caches that it depends on the request. */
function codingOf(reply: FastifyReply): Coding | undefined {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'accept-encoding' : `${String(others)}, accept-encoding`)
  return acceptedCoding(reply.request.headers['accept-encoding'])
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3; one that is not named is not used. */
export function acceptedCoding(header: string | string[] | undefined): Coding | undefined {
  if (header === undefined) return undefined
  const qualities = new Map<string, number>()
  for (const part of String(header).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    qualities.set(name, quality === undefined ? 1 : Number(quality) || 0)
  }
  const [brotliQuality, gzipQuality] = [qualities.get('br') ?? 0, qualities.get('gzip') ?? 0]
  if (brotliQuality > 0 && brotliQuality >= gzipQuality) return 'br'
  return gzipQuality > 0 ? 'gzip' : undefined
}
