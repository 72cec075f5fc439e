import { hash } from 'node:crypto'
import type { RandomSource } from '../../util/random-source.ts'

/** 256 random bits as text, after a prefix that says what kind of secret it is. */
export function newSecret(prefix: string, randomBytes: RandomSource): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64url')
}

/**
 * The hash by which a random secret is stored and found. A fast hash is enough for what no one can guess, and searching
 * by hash reveals nothing by its timing.
 */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
