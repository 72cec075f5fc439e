/** Signed tokens that tell a backend who calls: JWTs, https://www.rfc-editor.org/rfc/rfc7519 */
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Clock } from '../../util/clock.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import type { CallerIdentity } from './caller-identity.ts'
import type { IdentityKey } from './identity-keys.ts'

export interface IdentityTokens {
  /** A token for an audience that says who calls in a session. It lasts 30 s at least and 60 s at most. */
  of(sessionId: string, caller: CallerIdentity, audience: string): Promise<string>
}

const lifeSeconds = 60
const tokensKept = 10_000

interface SignedToken {
  readonly claims: string
  readonly signedAt: number
  readonly token: Promise<string>
}

/** Tokens signed with a key. Signing takes long: each is used for half of its life. */
export function createIdentityTokens(
  { privateKey, publicKey: { alg, kid } }: IdentityKey,
  issuer: () => string,
  now: Clock,
): IdentityTokens {
  const kept = new GenerationalCache<string, SignedToken>(tokensKept)
  return {
    of(sessionId, caller, audience) {
      const key = JSON.stringify([sessionId, audience])
      const claims = JSON.stringify(caller)
      const signedAt = Math.floor(now().getTime() / 1000)
      const known = kept.get(key)
      const age = signedAt - (known?.signedAt ?? 0)
      if (known?.claims === claims && age >= 0 && age < lifeSeconds / 2) return known.token
      const token = new SignJWT({ ...caller })
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .setIssuer(issuer())
        .setAudience(audience)
        .setIssuedAt(signedAt)
        .setExpirationTime(signedAt + lifeSeconds)
        .setJti(randomUUID())
        .sign(privateKey)
      kept.set(key, { claims, signedAt, token })
      return token
    },
  }
}
