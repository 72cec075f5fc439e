/**
 * A challenge shows, for ten minutes, that the password of an account was right, so that it need not be sent or kept until the
 * code of the second factor follows. It is signed with the account's password hash: nothing is stored for it, every node
 * can verify it, and it becomes invalid with the password and the account.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoredAccount } from '../../../store/account-store.ts'

type Signer = Pick<StoredAccount, 'username' | 'passwordHash'>

const lifetimeMs = 10 * 60_000

/** A new challenge for an account. */
export function newChallenge(account: Signer, timestamp: Date): string {
  const end = String(timestamp.getTime() + lifetimeMs)
  return `${end}.${signatureOf(account, end).toString('base64url')}`
}

/** Whether a text is a challenge of an account that has not ended. */
export function isChallengeOf(account: Signer | undefined, text: string, timestamp: Date): boolean {
  const [, end = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(text) ?? []
  if (account === undefined || Number(end) <= timestamp.getTime()) return false
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(account, end))
}

function signatureOf({ username, passwordHash }: Signer, end: string): Buffer {
  return createHmac('sha256', passwordHash)
    .update(JSON.stringify(['second factor', username, end]))
    .digest()
}
