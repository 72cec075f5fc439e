import type { Login } from '../session/session.ts'

/** Who is logged in, as a backend learns it. */
export interface CallerIdentity {
  /** `<provider>:<account_id>`: never the same for two people, and never changed. */
  readonly sub: string
  /** The username at the gateway; without one, the same as `sub`. */
  readonly account: string
  /** Those at the gateway; or the one that the login provider named, if it named one. */
  readonly roles: readonly string[]
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

/** Who is logged in. */
export function callerIdentityOf({ provider, account, gateway, claimsRole = false }: Login): CallerIdentity {
  const { account_id, account_role, displayName, properties } = account
  const sub = `${provider}:${account_id}`
  const { email, email_verified: isVerified } = properties
  const named = account_role === undefined ? [] : [account_role]
  return {
    sub,
    account: gateway?.username ?? sub,
    roles: claimsRole ? named : (gateway?.roles ?? named),
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof email === 'string' && typeof isVerified === 'boolean' ? { email_verified: isVerified } : {}),
    ...(displayName === undefined ? {} : { name: displayName }),
  }
}
