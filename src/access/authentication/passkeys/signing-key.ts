import { DatabaseError } from '../../../database/database-error.ts'
import type { AccessParts } from '../../access-parts.ts'

export type SigningKeyParts = Pick<AccessParts, 'store' | 'randomBytes' | 'signingKey'>

/** Makes the key at the start if there is none, so that no anonymous call has to. */
export async function prepareSigningKey(parts: SigningKeyParts): Promise<void> {
  try {
    await currentSigningKey(parts)
  } catch (error) {
    // A gateway whose store is full starts, and makes the key when there is space.
    if (!(error instanceof DatabaseError && error.kind === 'full')) throw error
  }
}

/** The key: read from the store at most once, and made if there is none. */
export async function currentSigningKey(parts: SigningKeyParts): Promise<string> {
  const { store, randomBytes, signingKey } = parts
  const known = signingKey.known ?? (await readSigningKey(parts))
  if (known !== undefined) return known
  const secret = Buffer.from(randomBytes(32)).toString('base64url')
  try {
    await store.transaction((connection) => store.passkeys.insertSigningKey(connection, secret))
  } catch (error) {
    if (!(error instanceof DatabaseError && error.kind === 'uniqueViolation')) throw error
  }
  return (await readSigningKey(parts)) ?? secret
}

/** Reads the key again, as when a signature is by another one; undefined if there is none. */
export async function readSigningKey({ store, signingKey }: SigningKeyParts): Promise<string | undefined> {
  const stored = await store.read((connection) => store.passkeys.signingKey(connection))
  signingKey.known = stored
  return stored
}
