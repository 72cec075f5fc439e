/**
 * Answers in fewer bytes, for clients that take them so: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1. Only for
 * answers that hold no secret of ours: how well a text is compressed tells something of it (https://www.breachattack.com).
 */
import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

type Coding = 'br' | 'gzip'

/** Quick rather than small: an answer is compressed once and read once. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }
const deflate = { level: 4 }

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotli),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, deflate),
} as const

/** What a client that is sent pieces has of one at once. */
const compressor: Readonly<Record<Coding, () => Transform>> = {
  br: () => createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => createGzip({ ...deflate, flush: constants.Z_SYNC_FLUSH }),
}

/** So much text is written in one piece together with the head, which takes less time than two pieces. */
const shortBytes = 2048

/** Sends a body of text in UTF-8, compressed where it has so many bytes and the client takes it. */
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

/** Sends a long body piece by piece, compressed where the client takes it. */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<Buffer>): FastifyReply {
  const source = Readable.from(pieces, { objectMode: false })
  const coding = codingOf(reply)
  if (coding === undefined) return reply.send(source)
  // Whichever of the two ends early ends the other; who sends the body hears of it.
  const body = pipeline(source, compressor[coding](), () => undefined)
  return reply.header('content-encoding', coding).send(body)
}

/** The coding of the answer; says to caches that it depends on the request. */
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
