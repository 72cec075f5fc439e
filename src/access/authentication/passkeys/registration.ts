/** The registration of a passkey: what the browser is asked for, and the check of what it answers. */
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../errors/app-error.ts'
import type { StoredAccount } from '../../../store/account-store.ts'
import type { StoredPasskey } from '../../../store/passkey-store.ts'
import type { AccessParts } from '../../access-parts.ts'
import { accountId } from '../account.ts'
import { type ChallengePurpose, challengeLifetimeMs, checkChallenge, newChallenge } from './challenges.ts'
import { readClientData, wrongOriginIn } from './client-data.ts'
import { requireRelyingParty } from './logon-options.ts'
import { relyingPartyName } from './relying-party.ts'
import { keyAlgorithms, type Registration, verifyRegistration } from './verify.ts'

/** What the browser needs to make a passkey that is none of those stored: the options of `navigator.credentials.create`. */
export async function creationOptions(
  parts: AccessParts,
  {
    id,
    account,
    stored,
  }: { readonly id: string; readonly account: StoredAccount; readonly stored: readonly StoredPasskey[] },
): Promise<object> {
  return {
    rp: { id, name: relyingPartyName },
    user: {
      id: Buffer.from(accountId(account)).toString('base64url'),
      name: account.username,
      displayName: account.username,
    },
    challenge: await newChallenge(parts, purposeOf(account)),
    pubKeyCredParams: keyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifetimeMs,
    excludeCredentials: stored.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** Checks what a browser has made for an account. Throws PASSKEY_INVALID. */
export async function verifyNewPasskey(parts: AccessParts, credential: Registration, account: StoredAccount) {
  const relyingParty = requireRelyingParty(parts)
  const client = readClientData(credential.response.clientDataJSON, 'webauthn.create')
  if (client === undefined) throw invalidPasskey('It is not what a browser makes for a registration.')
  const wrongOrigin = wrongOriginIn(client, relyingParty)
  if (wrongOrigin !== undefined) throw invalidPasskey(wrongOrigin)
  const { challenge } = client
  if ((await checkChallenge(parts, challenge, purposeOf(account))) !== 'valid') throw registrationEnded()
  const verified = await verifyRegistration(credential, challenge, relyingParty)
  if (verified !== undefined) return { ...verified, challenge }
  throw invalidPasskey(
    'The authenticator has not verified who uses it, made it for another domain, or answered with something else.',
  )
}

/** Whether two states of an account have the same password, and both or neither a second factor. */
export function isSameRegistrant(one: StoredAccount, other: StoredAccount): boolean {
  return isDeepStrictEqual(purposeOf(one), purposeOf(other))
}

/** The error for an answer that comes too late. */
export function registrationEnded(): AppError {
  return invalidPasskey(
    'Too much time has passed since the password was entered, or it or the second factor has changed. Begin again.',
  )
}

/** The error for a passkey that cannot be registered. */
export function invalidPasskey(detail: string): AppError {
  return new AppError('PASSKEY_INVALID', { detail })
}

/** A registration for this account, with this password, and with a second factor or without. */
function purposeOf(account: StoredAccount): ChallengePurpose {
  return ['register', accountId(account), account.passwordHash, account.hasSecondFactor === true]
}
