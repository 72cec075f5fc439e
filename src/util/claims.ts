/** Claims: what the issuer of a token says about its subject, https://www.rfc-editor.org/rfc/rfc7519#section-4. */

/** By name, not validated. */
export type Claims = Readonly<Record<string, unknown>>

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

/** A claim as text; undefined unless it is a text that is not empty, or a number. */
export function textOfClaim(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
