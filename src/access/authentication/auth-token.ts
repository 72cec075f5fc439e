import type { RandomSource } from '../../util/random-source.ts'
import { hashOfSecret, newSecret } from './secret.ts'

/** A new authentication token. Only its hash is kept. */
export function newAuthToken(randomBytes: RandomSource): string {
  return newSecret('ght_', randomBytes)
}

/** The hash by which a token is stored and found; undefined for a text that cannot be a token. */
export function hashOfAuthToken(token: string): string | undefined {
  return /^ght_[\w-]{43}$/.test(token) ? hashOfSecret(token) : undefined
}
