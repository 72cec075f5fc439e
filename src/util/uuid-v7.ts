import type { Clock } from './clock.ts'
import type { RandomSource } from './random-source.ts'

const counterLimit = 4096

/**
 * Makes UUIDs of version 7 that sort, as text, in the order they were made: milliseconds, a counter
 * of 12 bits, and 62 random bits. If the counter overflows or the clock goes back, the time of the
 * last one is increased. https://www.rfc-editor.org/rfc/rfc9562#section-6.2 (method 1)
 */
export function createUuidV7(now: Clock, randomBytes: RandomSource): () => string {
  let milliseconds = 0
  let counter = 0
  return () => {
    const current = now().getTime()
    counter += 1
    if (current > milliseconds) {
      milliseconds = current
      counter = 0
    } else if (counter === counterLimit) {
      milliseconds += 1
      counter = 0
    }
    const bytes = Buffer.alloc(16)
    bytes.writeUIntBE(milliseconds, 0, 6)
    bytes.writeUInt16BE(0x7000 | counter, 6)
    bytes.set(randomBytes(8), 8)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}
