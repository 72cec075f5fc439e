import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import type { AccessDirectory, AccessSnapshot } from '../access-directory.ts'
import type { Caller } from '../caller.ts'
import { looksLikeApiKey } from './api-key.ts'
import { hashOfAuthToken } from './auth-token.ts'
import type { KnownToken } from './token-cache.ts'

/** The headers of a request, by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const challenge = { headers: { 'www-authenticate': 'Bearer' } }

const keyIsNoToken =
  'This is an API key, not a token. Send the key in the header X-Xaas-Api-Key to POST /logon, with username and password in a JSON body; the response has the token.'

/**
 * Authenticates a request by the token in `X-Xaas-Auth-Token` or `Authorization: Bearer`. Throws TOKEN_MISSING, or
 * TOKEN_INVALID for a token that is unknown or has expired, and for two that differ. In a request that is forwarded, the
 * bearer token beside `X-Xaas-Auth-Token` may be one for the upstream (`hasBearerForUpstream`).
 */
export async function authenticate(
  { directory, now }: { readonly directory: AccessDirectory; readonly now: Clock },
  headers: RequestHeaders,
  isForwarded = false,
): Promise<Caller> {
  const tokenHash = tokenHashIn(headers, isForwarded)
  const snapshot = await directory.current()
  const token = await directory.findToken(tokenHash)
  if (token === undefined || snapshot.accounts.has(token.username)) return callerOf(token, snapshot, now())
  // The account was just created, perhaps by another node, and is not in the directory yet.
  await directory.reload()
  return callerOf(await directory.findToken(tokenHash), await directory.current(), now())
}

/** The hash of the token of a request; throws as `authenticate` does. */
export function tokenHashIn(headers: RequestHeaders, isForwarded = false): string {
  const own =
    isForwarded && hasBearerForUpstream(headers) ? { ...headers, authorization: undefined } : headers
  const token = tokenIn(own)
  const tokenHash = hashOfAuthToken(token)
  if (tokenHash !== undefined) return tokenHash
  throw new AppError(
    'TOKEN_INVALID',
    looksLikeApiKey(token) ? { ...challenge, detail: keyIsNoToken } : challenge,
  )
}

/** The owner of a token at a given time; throws TOKEN_INVALID if it is not valid. */
export function callerOf(
  token: KnownToken | undefined,
  { accounts }: Pick<AccessSnapshot, 'accounts'>,
  timestamp: Date,
): Caller {
  const account = token === undefined ? undefined : accounts.get(token.username)
  if (token === undefined || account === undefined || account.disabled)
    throw new AppError('TOKEN_INVALID', challenge)
  const { username, roles, expiresAt, limits } = account
  if (token.expiresAt <= timestamp || (expiresAt !== undefined && expiresAt <= timestamp)) {
    throw new AppError('TOKEN_INVALID', challenge)
  }
  return {
    username,
    roles,
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
  if (typeof own !== 'string' || own === '' || typeof bearer !== 'string') return false
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
