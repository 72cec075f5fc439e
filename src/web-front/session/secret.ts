import { hash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits for a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text can be a secret of ours. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What a store knows of a secret: nobody can use it in place of the secret. */
export function hashOf(...texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url')
}
