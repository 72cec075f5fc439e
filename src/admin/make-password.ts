import type { RandomSource } from '../util/random-source.ts'

/** A password of 144 random bits. */
export function makePassword(randomBytes: RandomSource): string {
  return Buffer.from(randomBytes(18)).toString('base64url')
}
