import { hash } from 'node:crypto'
import type { RandomSource } from '../../util/random-source.ts'

/** 256 random bits as text, after a prefix that tells what kind of secret it is. */
export function newSecret(prefix: string, randomBytes: RandomSource): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64url')
}

/**
 * The form in which a random secret is kept and looked for. A fast hash is enough for what nobody can
 * guess, and looking by hash tells no time about the secret.
 */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
