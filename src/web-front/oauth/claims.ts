import { type Claims, claimOf, textOfClaim } from '../../util/claims.ts'
import type { LoginAccount } from '../session/session.ts'

/** What the claims of a login provider mean. A name with dots leads into objects: `realm_access.roles`. */
export interface ClaimMapping {
  readonly accountId: string
  readonly accountRole?: string
  readonly displayName: string
  readonly avatar: string
  /** Claim with the username at the gateway; without one it is made from the provider’s name and the account’s id. */
  readonly username?: string
  /** Claims that are shown unchanged. */
  readonly properties: readonly string[]
}

/** The account in claims; undefined if they have no id for it. */
export function accountOf(claims: Claims, mapping: ClaimMapping): LoginAccount | undefined {
  const id = textOfClaim(claimOf(claims, mapping.accountId))
  if (id === undefined) return undefined
  const role = mapping.accountRole === undefined ? undefined : firstOf(claimOf(claims, mapping.accountRole))
  const displayName =
    textOfClaim(claimOf(claims, mapping.displayName)) ?? textOfClaim(claims.preferred_username)
  const avatar = textOfClaim(claimOf(claims, mapping.avatar))
  return {
    account_id: id,
    ...(role === undefined ? {} : { account_role: role }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(avatar === undefined || !/^https?:\/\//i.test(avatar) ? {} : { avatar }),
    properties: Object.fromEntries(
      mapping.properties.flatMap((name) => {
        const value = claimOf(claims, name)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
}

/** A person's username at the gateway; undefined if a claim for it is configured and missing. */
export function gatewayUsernameOf(
  claims: Claims,
  { username }: ClaimMapping,
  provider: string,
  accountId: string,
): string | undefined {
  return username === undefined ? `${provider}:${accountId}` : textOfClaim(claimOf(claims, username))
}

function firstOf(value: unknown): string | undefined {
  return textOfClaim(Array.isArray(value) ? value[0] : value)
}
