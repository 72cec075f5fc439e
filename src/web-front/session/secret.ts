import { hash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits for a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the form of such a secret. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What a store keeps of a secret: it cannot be used in place of the secret. */
export function hashOf(...texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url')
}
