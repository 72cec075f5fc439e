import { AppError } from '../../../errors/app-error.ts'
import type { AccessParts } from '../../access-parts.ts'
import { challengeLifetimeMs, logonPurpose, newChallenge } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'

/** What a page needs to ask for a passkey. */
export interface PasskeyLogonOptions {
  /** Origins at which it can be asked for; none if passkeys are turned off. */
  readonly origins: readonly string[]
  /** As `PublicKeyCredential.parseRequestOptionsFromJSON` takes it; absent if passkeys are turned off. */
  readonly options?: {
    readonly challenge: string
    readonly rpId: string
    readonly timeout: number
    readonly userVerification: 'required'
  }
}

/** Throws PASSKEYS_OFF if there are no origins to use passkeys at. */
export function requireRelyingParty({ relyingParty }: Pick<AccessParts, 'relyingParty'>): RelyingParty {
  if (relyingParty === undefined) throw new AppError('PASSKEYS_OFF')
  return relyingParty
}

/** What a page needs to ask for a passkey, whoever logs on. */
export async function passkeyLogonOptions(
  parts: Pick<AccessParts, 'store' | 'now' | 'randomBytes' | 'signingKey' | 'relyingParty'>,
): Promise<PasskeyLogonOptions> {
  if (parts.relyingParty === undefined) return { origins: [] }
  const { id: rpId, origins } = parts.relyingParty
  const challenge = await newChallenge(parts, logonPurpose)
  return { origins, options: { challenge, rpId, timeout: challengeLifetimeMs, userVerification: 'required' } }
}
