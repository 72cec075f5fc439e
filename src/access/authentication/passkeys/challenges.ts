/**
 * What an authenticator signs, so that an answer is good once and for five minutes. A challenge is signed with a key that all
 * nodes share, and nothing is stored for it until it is answered: pages that ask for one cost nothing.
 */
import { createHash } from 'node:crypto'
import type { Connection } from '../../../database/driver.ts'
import type { AccessParts } from '../../access-parts.ts'
import { isSignature, sign } from '../signature.ts'
import { currentSigningKey, readSigningKey, type SigningKeyParts } from './signing-key.ts'

/** What a challenge is for; one for a registration names the account and depends on its proofs. */
export type ChallengePurpose = readonly (string | boolean)[]

/** The purpose of a logon: who answers is not known yet. */
export const logonPurpose: ChallengePurpose = ['logon']

/** How long a challenge lasts. */
export const challengeLifetimeMs = 5 * 60_000

const nonceBytes = 16
const headBytes = 8 + nonceBytes

type ChallengeParts = SigningKeyParts & Pick<AccessParts, 'now'>

/** A new challenge, in base64url. */
export async function newChallenge(parts: ChallengeParts, purpose: ChallengePurpose): Promise<string> {
  const end = Buffer.alloc(8)
  end.writeBigUInt64BE(BigInt(parts.now().getTime() + challengeLifetimeMs))
  const head = Buffer.concat([end, parts.randomBytes(nonceBytes)])
  const key = await currentSigningKey(parts)
  return Buffer.concat([head, sign(keyOf(key), signedOf(head, purpose))]).toString('base64url')
}

/** Whether a text is a challenge for a purpose: `ended` if it was. It may have been answered already. */
export async function checkChallenge(
  parts: ChallengeParts,
  text: string,
  purpose: ChallengePurpose,
): Promise<'valid' | 'ended' | 'foreign'> {
  const bytes = Buffer.from(text, 'base64url')
  const head = bytes.subarray(0, headBytes)
  const given = bytes.subarray(headBytes)
  const isBy = (key: string | undefined) =>
    key !== undefined && isSignature(given, keyOf(key), signedOf(head, purpose))
  // The store may have been restored from a backup.
  if (!isBy(await currentSigningKey(parts)) && !isBy(await readSigningKey(parts))) return 'foreign'
  return endOf(bytes) > parts.now().getTime() ? 'valid' : 'ended'
}

/** Uses up a valid challenge, on all nodes. Throws `uniqueViolation` if it was answered before. */
export function answerChallenge(
  { store }: Pick<AccessParts, 'store'>,
  connection: Connection,
  text: string,
): Promise<void> {
  const bytes = Buffer.from(text, 'base64url')
  const hash = createHash('sha256').update(bytes).digest('base64url')
  // Remembered for longer than it lasts: the clock of another node may be behind.
  const keptUntil = new Date(endOf(bytes) + challengeLifetimeMs)
  return store.passkeys.answerChallenge(connection, hash, keptUntil.toISOString())
}

function endOf(bytes: Buffer): number {
  return Number(bytes.readBigUInt64BE())
}

function keyOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function signedOf(head: Buffer, purpose: ChallengePurpose): readonly unknown[] {
  return ['passkey', head.toString('base64url'), ...purpose]
}
