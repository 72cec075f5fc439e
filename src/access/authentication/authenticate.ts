import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import type { AccessDirectory, AccessSnapshot } from '../access-directory.ts'
import type { Caller } from '../caller.ts'
import { looksLikeApiKey } from './api-key.ts'
import { hashOfAuthToken } from './auth-token.ts'
import type { KnownToken } from './token-cache.ts'
import type { IssuedTokens } from './token-issuers/issued-tokens.ts'

/** The headers of a request, by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const challenge = { headers: { 'www-authenticate': 'Bearer' } }

const keyIsNoToken =
  'This is an API key, not a token. Send the key in the header X-Xaas-Api-Key to POST /logon, with username and password in a JSON body; the response has the token.'

/** What callers are authenticated with. */
export interface AuthenticationParts {
  readonly directory: AccessDirectory
  readonly issuedTokens: IssuedTokens
  readonly now: Clock
}

/**
 * Authenticates a request by the token in `X-Xaas-Auth-Token` or `Authorization: Bearer`. Throws TOKEN_MISSING, or
 * TOKEN_INVALID for a token that is unknown or has expired, and for two that differ; ISSUER_UNAVAILABLE for a token of
 * another issuer that cannot be verified now. In a request that is forwarded, the bearer token beside
 * `X-Xaas-Auth-Token` may be one for the upstream (`hasBearerForUpstream`).
 */
export async function authenticate(
  { directory, issuedTokens, now }: AuthenticationParts,
  headers: RequestHeaders,
  isForwarded = false,
): Promise<Caller> {
  const sent = tokenSent(headers, isForwarded)
  const tokenHash = hashOfAuthToken(sent)
  if (tokenHash === undefined) {
    if (!issuedTokens.concerns(sent)) throw notMadeHere(sent)
    // The accounts may change while the issuer is asked for its keys.
    const issued = await issuedTokens.verify(sent)
    return issuedTokens.callerOf(issued, await directory.current())
  }
  const snapshot = await directory.current()
  const token = await directory.findToken(tokenHash)
  if (token === undefined || snapshot.accounts.has(token.username)) return callerOf(token, snapshot, now())
  // The account was just created, perhaps by another node, and is not in the directory yet.
  await directory.reload()
  return callerOf(await directory.findToken(tokenHash), await directory.current(), now())
}

/** The same if everything needed is in memory; undefined if something has to be read first. */
export function authenticateAtOnce(
  { directory, issuedTokens, now }: AuthenticationParts,
  headers: RequestHeaders,
  snapshot: AccessSnapshot,
  isForwarded: boolean,
): Caller | undefined {
  const sent = tokenSent(headers, isForwarded)
  const tokenHash = hashOfAuthToken(sent)
  if (tokenHash === undefined) {
    if (!issuedTokens.concerns(sent)) throw notMadeHere(sent)
    const issued = issuedTokens.held(sent)
    return issued === undefined ? undefined : issuedTokens.callerOf(issued, snapshot)
  }
  const token = directory.heldToken(tokenHash)
  if (token === undefined || !snapshot.accounts.has(token.username)) return undefined
  return callerOf(token, snapshot, now())
}

/** The caller, if it has an account; throws RECORD_NOT_FOUND for one with a token of another issuer. */
export function requireAccount(caller: Caller): Caller {
  const { issuer } = caller
  if (issuer === undefined) return caller
  throw new AppError('RECORD_NOT_FOUND', {
    detail: `Your token is of the issuer "${issuer}". The gateway has no account and keeps no token for it: change or end them at the issuer.`,
  })
}

/** The token of a request; throws as `authenticate` does. */
function tokenSent(headers: RequestHeaders, isForwarded: boolean): string {
  return tokenIn(
    isForwarded && hasBearerForUpstream(headers) ? { ...headers, authorization: undefined } : headers,
  )
}

function notMadeHere(token: string): AppError {
  return new AppError(
    'TOKEN_INVALID',
    looksLikeApiKey(token) ? { ...challenge, detail: keyIsNoToken } : challenge,
  )
}

/** The owner of a token at a given time; throws TOKEN_INVALID if it is not valid. */
function callerOf(
  token: KnownToken | undefined,
  { accounts }: Pick<AccessSnapshot, 'accounts'>,
  timestamp: Date,
): Caller {
  const account = token === undefined ? undefined : accounts.get(token.username)
  if (token === undefined || account === undefined || account.disabled)
    throw new AppError('TOKEN_INVALID', challenge)
  const { username, roles, attributes, expiresAt, limits } = account
  if (token.expiresAt <= timestamp || (expiresAt !== undefined && expiresAt <= timestamp)) {
    throw new AppError('TOKEN_INVALID', challenge)
  }
  return {
    username,
    roles,
    attributes,
    accountExpiresAt: expiresAt,
    limits,
    tokenHash: token.tokenHash,
    tokenExpiresAt: token.expiresAt,
  }
}

/**
 * Whether the bearer token of a request is for an upstream: the gateway's own is in `X-Xaas-Auth-Token`, and this is not
 * another one of the gateway.
 */
export function hasBearerForUpstream(headers: RequestHeaders): boolean {
  const own = headers['x-xaas-auth-token']
  const bearer = bearerIn(headers.authorization)
  if (typeof own !== 'string' || own === '' || typeof bearer !== 'string' || bearer === own) return false
  return hashOfAuthToken(bearer) === undefined
}

/** Whether a request has credentials, valid or not. */
export function carriesToken(headers: RequestHeaders): boolean {
  return tokensIn(headers).length > 0
}

function tokenIn(headers: RequestHeaders): string {
  const given = tokensIn(headers)
  const [token] = given
  if (token === undefined) throw new AppError('TOKEN_MISSING', challenge)
  if (typeof token !== 'string' || given.some((other) => other !== token)) {
    throw new AppError('TOKEN_INVALID', challenge)
  }
  return token
}

function tokensIn(headers: RequestHeaders): readonly (string | readonly string[])[] {
  const given = [headers['x-xaas-auth-token'], bearerIn(headers.authorization)]
  return given.filter((value): value is string | readonly string[] => value !== undefined && value !== '')
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1; other schemes are ignored. */
function bearerIn(header: RequestHeaders[string]): RequestHeaders[string] {
  if (typeof header !== 'string') return header
  const [, token] = /^Bearer(?: +(.*))?$/i.exec(header) ?? []
  return token
}
