/** What claims decide: who may log in, and with which roles and metadata at the gateway. */
import { type Claims, claimOf } from './claims.ts'

/** Values of a claim: one of them has to be there. `@example.org` stands for verified e-mail addresses of a domain. */
type WantedValues = readonly string[]

/** What claims have to be, by claim: all of them. */
type ClaimRule = Readonly<Record<string, WantedValues>>

/** Roles by claim and its value. */
export type RoleRules = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** What the claims of a person give at the gateway. */
export interface AccountGrants {
  /** Absent if claims do not decide about roles. */
  readonly roles?: readonly string[]
  /** Values by key; undefined takes the key away. Absent if claims do not decide about metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What claims are used for, besides describing the account. */
export interface ClaimRules {
  /** One of these has to hold; without any, everyone may log in. */
  readonly allow?: readonly ClaimRule[]
  readonly roles?: RoleRules
  /** Claims by key of the metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** The first claim of the last rule that does not hold, if a person may not log in. */
export function refusedBy(claims: Claims, { allow = [] }: ClaimRules): string | undefined {
  const refusals = allow.map((rule) =>
    Object.keys(rule).find((claim) => !hasOneOf(claims, claim, rule[claim] ?? [])),
  )
  return refusals.includes(undefined) ? undefined : refusals.at(-1)
}

/** The roles and the metadata that claims give; nothing if they decide about none. */
export function grantsOf(claims: Claims, { roles, metadata }: ClaimRules): AccountGrants {
  return {
    ...(roles === undefined ? {} : { roles: rolesOf(claims, roles) }),
    ...(metadata === undefined
      ? {}
      : {
          metadata: Object.fromEntries(
            Object.entries(metadata).map(([key, claim]) => [key, claimOf(claims, claim)]),
          ),
        }),
  }
}

/** All roles that rules name. */
export function rolesNamedBy({ roles = {} }: ClaimRules): readonly string[] {
  return [...new Set(Object.values(roles).flatMap((byValue) => Object.values(byValue).flat()))]
}

/** In the order of the rules, each once. */
function rolesOf(claims: Claims, rules: RoleRules): readonly string[] {
  const roles = Object.entries(rules).flatMap(([claim, byValue]) =>
    Object.entries(byValue).flatMap(([value, given]) => (hasOneOf(claims, claim, [value]) ? given : [])),
  )
  return [...new Set(roles)]
}

/** Whether a claim has one of some values; a list has each of its entries, and a scope each of its words. */
function hasOneOf(claims: Claims, claim: string, wanted: readonly string[]): boolean {
  const value = claimOf(claims, claim)
  const values = (Array.isArray(value) ? value : [value]).filter(isPlain).map(String)
  if (scopeClaims.has(claim)) values.push(...values.flatMap((text) => text.split(' ')))
  return wanted.some((one) =>
    one.startsWith('@') ? isVerified(claims) && values.some((text) => isAt(text, one)) : values.includes(one),
  )
}

/** https://www.rfc-editor.org/rfc/rfc8693#section-4.2; some issuers call it `scp`. */
const scopeClaims: ReadonlySet<string> = new Set(['scope', 'scp'])

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Anyone could write any address into an account whose provider does not verify it. */
function isVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true'
}

/** Whether an e-mail address belongs to a domain, `@example.org`, and to no subdomain. */
function isAt(address: string, domain: string): boolean {
  return address.slice(address.lastIndexOf('@')).toLowerCase() === domain.toLowerCase()
}
