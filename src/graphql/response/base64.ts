import type { ByteWriter } from '../../util/byte-writer.ts'

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const alphabets = {
  base64: Buffer.from(`${digits}+/`),
  base64url: Buffer.from(`${digits}-_`),
} as const

/** Encodes in place, in base64, what was written after `start`; base64url is not padded. */
export function encodeBehind(out: ByteWriter, start: number, encoding: keyof typeof alphabets): void {
  const length = out.length - start
  const rest = length % 3
  const whole = length - rest
  const paddedRest = rest === 0 ? 0 : encoding === 'base64' ? 4 : rest + 1
  const bytes = out.reserve((whole / 3) * 4 + paddedRest - length)
  const alphabet = alphabets[encoding]
  // From the end to the start, so that nothing is overwritten before it is read.
  let from = start + whole
  let to = start + (whole / 3) * 4
  out.advance(to + paddedRest)
  if (rest > 0) {
    const first = bytes[from] as number
    const second = rest === 2 ? (bytes[from + 1] as number) : 0
    bytes[to] = alphabet[first >> 2] as number
    bytes[to + 1] = alphabet[((first & 3) << 4) | (second >> 4)] as number
    if (rest === 2) bytes[to + 2] = alphabet[(second & 15) << 2] as number
    for (let padding = rest + 1; padding < paddedRest; padding += 1) bytes[to + padding] = 0x3d
  }
  while (from > start) {
    from -= 3
    to -= 4
    const group =
      ((bytes[from] as number) << 16) | ((bytes[from + 1] as number) << 8) | (bytes[from + 2] as number)
    bytes[to + 3] = alphabet[group & 63] as number
    bytes[to + 2] = alphabet[(group >> 6) & 63] as number
    bytes[to + 1] = alphabet[(group >> 12) & 63] as number
    bytes[to] = alphabet[group >> 18] as number
  }
}
