/**
 * A browser that has logged in with an account before proves it by a stored text: see "device cookies",
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies. The text is signed with the
 * account's password hash, so that nothing is stored for it on the server, every node can verify it, and it becomes
 * invalid with the password and the account.
 */
import * as v from 'valibot'
import type { StoredAccount } from '../../store/account-store.ts'
import type { RandomSource } from '../../util/random-source.ts'
import { isSignature, sign } from './signature.ts'

type Signer = Pick<StoredAccount, 'username' | 'passwordHash'>

const nonceLength = 22

/** The proofs in a browser, one for each account that has logged in with it. */
export const browserProofsSchema = v.optional(v.pipe(v.array(v.string()), v.maxLength(20)), [])

/** A new proof that a browser has logged in with an account: letters, digits, `-` and `_`. */
export function newBrowserProof(account: Signer, randomBytes: RandomSource): string {
  const nonce = Buffer.from(randomBytes(16)).toString('base64url')
  return nonce + sign(account.passwordHash, signedOf(account, nonce)).toString('base64url')
}

/** The proof of a browser that is valid for an account; undefined if there is none. */
export function findBrowserProof(account: Signer | undefined, proofs: readonly string[]): string | undefined {
  if (account === undefined) return undefined
  return proofs.find((proof) => {
    if (!/^[\w-]{65}$/.test(proof)) return false
    const given = Buffer.from(proof.slice(nonceLength), 'base64url')
    return isSignature(given, account.passwordHash, signedOf(account, proof.slice(0, nonceLength)))
  })
}

function signedOf({ username }: Signer, nonce: string): readonly string[] {
  return ['browser', username, nonce]
}
