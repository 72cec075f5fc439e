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

/** What a provider says about a person. */
export type Claims = Readonly<Record<string, unknown>>

/** The account in claims; undefined if they have no id for it. */
export function accountOf(claims: Claims, mapping: ClaimMapping): LoginAccount | undefined {
  const id = textOf(claimOf(claims, mapping.accountId))
  if (id === undefined) return undefined
  const role = mapping.accountRole === undefined ? undefined : firstOf(claimOf(claims, mapping.accountRole))
  const displayName = textOf(claimOf(claims, mapping.displayName)) ?? textOf(claims.preferred_username)
  const avatar = textOf(claimOf(claims, mapping.avatar))
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
  return username === undefined ? `${provider}:${accountId}` : textOf(claimOf(claims, username))
}

/** The value of a claim; a name with dots leads into objects. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}

function firstOf(value: unknown): string | undefined {
  return textOf(Array.isArray(value) ? value[0] : value)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
