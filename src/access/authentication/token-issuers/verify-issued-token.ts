import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { AppError } from '../../../errors/app-error.ts'
import { grantsOf } from '../../../util/claim-rules.ts'
import { claimOf } from '../../../util/claims.ts'
import type { Clock } from '../../../util/clock.ts'
import { isName, normalizeName } from '../../name.ts'
import { hashOfSecret } from '../secret.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { TokenIssuer } from './token-issuer.ts'

/** What a token of an issuer says, after it was verified. */
export interface IssuedToken {
  readonly tokenHash: string
  /** The name of the issuer. */
  readonly issuer: string
  /** `<name of the issuer>:<claim>` */
  readonly username: string
  /** Names of roles, whether they exist or not. */
  readonly roles: readonly string[]
  /** What the token says; it is accepted a little longer. */
  readonly expiresAt: Date
}

/** An issuer with its keys. */
export interface KnownIssuer {
  readonly settings: TokenIssuer
  readonly keys: Pick<IssuerKeys, 'find'>
}

/** How far the clocks of issuer and gateway may differ. */
const clockToleranceMs = 30_000

/** Whether a token has not expired, by the clock of the gateway or one that is a little behind. */
export function isValidAt({ expiresAt }: Pick<IssuedToken, 'expiresAt'>, timestamp: Date): boolean {
  return expiresAt.getTime() + clockToleranceMs > timestamp.getTime()
}

/** Longer ones are refused before they are read. */
const longestToken = 8192
/** The last moment that a `Date` can hold, in seconds. */
const lastSecond = 8.64e12

const types: ReadonlySet<string> = new Set(['jwt', 'at+jwt'])
/** Header parameters by which a token would bring its own key. */
const ownKeys = ['jwk', 'jku', 'x5c', 'x5u'] as const

/** Whether a text has the form of a JWT with a signature: three parts. */
export function looksIssued(token: string): boolean {
  return token.indexOf('.') !== -1 && (token.length > longestToken || /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
}

/**
 * Verifies a token of one of some issuers, by their `iss`. Throws TOKEN_INVALID with the reason, and ISSUER_UNAVAILABLE
 * if the keys of the issuer cannot be read.
 */
export async function verifyIssuedToken(
  token: string,
  issuers: ReadonlyMap<string, KnownIssuer>,
  now: Clock,
): Promise<IssuedToken> {
  if (token.length > longestToken)
    throw refuseIssuedToken(`The token has more than ${longestToken} characters.`)
  const { header, claims } = read(token)
  const issuer = typeof claims.iss === 'string' ? issuers.get(claims.iss) : undefined
  if (issuer === undefined)
    throw refuseIssuedToken('The gateway accepts no tokens of the issuer that this one names.')
  const { settings } = issuer
  refuseHeader(header, settings)
  const expiresAt = expiryOf(claims, settings)
  // Nothing is asked of the issuer for a token that has ended.
  if (!isValidAt({ expiresAt }, now())) throw expired(settings)
  const verified = await verify(token, issuer, now)
  // https://www.rfc-editor.org/rfc/rfc7800: whoever else has it must not use it.
  if (verified.cnf !== undefined) {
    throw refuseIssuedToken(
      'The token is bound to a key of its client ("cnf"), which the gateway cannot check.',
    )
  }
  const { role = [], roles = {} } = settings
  const { roles: byClaim = [] } = grantsOf(verified, { roles })
  return {
    tokenHash: hashOfSecret(token),
    issuer: settings.name,
    username: usernameOf(verified, settings),
    roles: [...new Set([...role, ...byClaim])],
    expiresAt,
  }
}

function read(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    throw refuseIssuedToken('The token is not a JSON Web Token.')
  }
}

/** Before the signature is verified: what the gateway would not understand, or must not trust. */
function refuseHeader(
  header: Readonly<Record<string, unknown>>,
  { name, algorithms }: Pick<TokenIssuer, 'name' | 'algorithms'>,
): void {
  const { alg, typ } = header
  if (typeof alg !== 'string' || !algorithms.includes(alg)) {
    throw refuseIssuedToken(`Tokens of the issuer "${name}" must be signed with ${algorithms.join(', ')}.`)
  }
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (type !== undefined && !types.has(String(type))) {
    throw refuseIssuedToken('The type ("typ") of the token is neither JWT nor at+jwt.')
  }
  if (header.crit !== undefined) throw refuseIssuedToken('The token has critical extensions ("crit").')
  const own = ownKeys.find((key) => header[key] !== undefined)
  if (own !== undefined) throw refuseIssuedToken(`The token brings its own key ("${own}").`)
}

function expiryOf({ exp }: JWTPayload, { name }: TokenIssuer): Date {
  if (typeof exp === 'number' && Math.abs(exp) < lastSecond) return new Date(exp * 1000)
  throw refuseIssuedToken(`Tokens of the issuer "${name}" must have an expiry ("exp").`)
}

async function verify(token: string, { settings, keys }: KnownIssuer, now: Clock): Promise<JWTPayload> {
  const { issuer, audience, algorithms } = settings
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      audience: [...audience],
      algorithms: [...algorithms],
      clockTolerance: clockToleranceMs / 1000,
      currentDate: now(),
    })
    return payload
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refusalFor(error, settings)
  }
}

/** Whatever goes wrong, the token is not accepted. */
function refusalFor(error: unknown, settings: TokenIssuer): AppError {
  const { name } = settings
  if (error instanceof errors.JWTExpired) return expired(settings)
  if (error instanceof errors.JWTClaimValidationFailed) {
    switch (error.claim) {
      case 'aud':
        return refuseIssuedToken(
          `The token of the issuer "${name}" is for another audience ("aud") than this gateway.`,
        )
      case 'nbf':
        return refuseIssuedToken(`The token of the issuer "${name}" is not valid yet ("nbf").`)
      default:
        return refuseIssuedToken(`The token of the issuer "${name}" has a claim that is not valid.`)
    }
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
    return refuseIssuedToken(
      `The issuer "${name}" does not have one key that is named by the token ("kid", "alg").`,
    )
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return refuseIssuedToken(`The signature of the token is not by the issuer "${name}".`)
  }
  return refuseIssuedToken(`The token cannot be verified with the keys of the issuer "${name}".`)
}

/** A number is exact as far as JSON in JavaScript is. */
function usernameOf(claims: JWTPayload, { name, account }: TokenIssuer): string {
  const value = claimOf(claims, account)
  const isText = typeof value === 'string' && value !== ''
  const username = normalizeName(`${name}:${isText || Number.isSafeInteger(value) ? value : ''}`)
  const isUsable = username !== `${name}:` && isName(username)
  if (isUsable) return username
  throw refuseIssuedToken(
    `The claim "${account}" of the token of the issuer "${name}" is not a name that callers may have.`,
  )
}

function expired({ name }: TokenIssuer): AppError {
  return refuseIssuedToken(`The token of the issuer "${name}" has expired.`)
}

/** The error for a token of an issuer, with the reason as a sentence. */
export function refuseIssuedToken(detail: string): AppError {
  return new AppError('TOKEN_INVALID', {
    detail,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
}
