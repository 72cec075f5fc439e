import * as v from 'valibot'
import { refuse, strictObject } from '../../documents/document-schema.ts'
import type { RandomSource } from '../../util/random-source.ts'
import { nameSchema } from '../name.ts'
import { notATimestamp, readTimestamp } from '../read-timestamp.ts'
import { lifetime } from './account.ts'
import { hashOfSecret, newSecret } from './secret.ts'

/** The name of an account's first key. */
export const firstKeyName = 'default'

const prefix = 'ghk_'

/** Whether a text looks like an API key that the gateway made. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(prefix)
}

/** A new API key. It is shown once; only its hash is kept. */
export function newApiKey(randomBytes: RandomSource): string {
  return newSecret(prefix, randomBytes)
}

/** The start of a generated key, by which its owner recognises it. */
export function prefixOfApiKey(key: string): string {
  return key.slice(0, 8)
}

/** The hash by which an API key is stored and found. */
export function hashOfApiKey(key: string): string {
  return hashOfSecret(key)
}

/** Whether a chosen text may be an API key: it fits into a header and is too long to be guessed. */
export function isAcceptableApiKey(key: string): boolean {
  return /^[\x21-\x7e]{32,200}$/.test(key)
}

/**
 * Parses a new API key. Its expiry is given in days, as a time, or not at all. `more` are further members of the document.
 */
export function apiKeySchema<const More extends v.ObjectEntries>(timestamp: Date, more: More) {
  return v.pipe(
    strictObject({
      ...more,
      name: nameSchema,
      expire_days: v.nullish(lifetime),
      expires_at: v.nullish(
        v.pipe(
          v.string(),
          refuse((text) => mistakeInEnd(text, timestamp)),
          v.transform(readTimestamp),
        ),
      ),
    }),
    refuse(
      ({ expire_days, expires_at }) =>
        (expire_days ?? undefined) === undefined || (expires_at ?? undefined) === undefined
          ? undefined
          : 'Give "expire_days" or "expires_at", not both.',
      'expires_at',
    ),
  )
}

function mistakeInEnd(text: string, timestamp: Date): string | undefined {
  const end = readTimestamp(text)
  if (end === undefined) return notATimestamp
  return end > timestamp ? undefined : 'This time has passed.'
}
