/**
 * A challenge shows, for ten minutes, that the password of an account was right, so that it need not be sent or kept until the
 * code of the second factor follows. It is signed with the account's password hash: nothing is stored for it, every node
 * can verify it, and it becomes invalid with the password and the account.
 */
import type { StoredAccount } from '../../../store/account-store.ts'
import { isSignature, sign } from '../signature.ts'

type Signer = Pick<StoredAccount, 'username' | 'passwordHash'>

const lifetimeMs = 10 * 60_000

/** A new challenge for an account. */
export function newChallenge(account: Signer, timestamp: Date): string {
  const end = String(timestamp.getTime() + lifetimeMs)
  return `${end}.${sign(account.passwordHash, signedOf(account, end)).toString('base64url')}`
}

/** Whether a text is a challenge of an account that has not ended. */
export function isChallengeOf(account: Signer | undefined, text: string, timestamp: Date): boolean {
  const [, end = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(text) ?? []
  if (account === undefined || Number(end) <= timestamp.getTime()) return false
  return isSignature(Buffer.from(signature, 'base64url'), account.passwordHash, signedOf(account, end))
}

function signedOf({ username }: Signer, end: string): readonly string[] {
  return ['second factor', username, end]
}
