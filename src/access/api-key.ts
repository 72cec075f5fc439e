import type { RandomSource } from '../util/random-source.ts'
import { hashOfSecret, newSecret } from './secret.ts'

/** A new API key. It is shown once; only its hash is kept. */
export function newApiKey(randomBytes: RandomSource): string {
  return newSecret('ghk_', randomBytes)
}

/** The form in which an API key is kept and looked for. */
export function hashOfApiKey(key: string): string {
  return hashOfSecret(key)
}

/** Whether a text that somebody chose may be an API key: it fits into a header and is long enough not to be guessed. */
export function isAcceptableApiKey(key: string): boolean {
  return /^[\x21-\x7e]{32,200}$/.test(key)
}
