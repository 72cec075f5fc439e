import type { RoleRules } from '../../../util/claim-rules.ts'

/**
 * Another server whose tokens the gateway accepts: JSON Web Tokens (JWT, https://www.rfc-editor.org/rfc/rfc7519), such as
 * access tokens of an OAuth server.
 */
export interface TokenIssuer {
  /** What the names of its callers begin with: `<name>:<claim>`. */
  readonly name: string
  /** What its tokens have in `iss`, exactly. */
  readonly issuer: string
  /** Its tokens must have one of these in `aud`. */
  readonly audience: readonly string[]
  /** Asymmetric ones only: https://www.rfc-editor.org/rfc/rfc7518#section-3.1. */
  readonly algorithms: readonly string[]
  /** Where its public keys are; undefined to find out by the metadata of the issuer. */
  readonly jwksUri?: string | undefined
  /** Claim with what identifies a caller; a name with dots leads into objects. */
  readonly account: string
  /** Roles by claim and value. */
  readonly roles?: RoleRules | undefined
  /** Roles that every caller has. */
  readonly role?: readonly string[] | undefined
}
