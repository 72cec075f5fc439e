/** What errors of the library and of the network mean: the cause of a failed login, and what was found. */
import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import { type LoginFailureCause, loginFailure } from '../login/login-failures.ts'
import { printed } from './printed.ts'

/** What was asked when an error came. */
export type ProviderStep = 'login' | 'userinfo'

/** The error of the catalogue for an error during a step. */
export function providerFailure(error: unknown, step: ProviderStep): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause
  }
  if (error instanceof oauth.AuthorizationResponseError) {
    const found = `The authorization endpoint answered ${said(error)}.`
    return loginFailure(authorizationCauses[error.error] ?? 'requestRefused', { found, error })
  }
  if (step === 'userinfo') return userinfoFailure(error)
  if (isClientRefusal(error)) {
    return loginFailure('clientRefused', { found: `The token endpoint answered ${said(error)}.`, error })
  }
  if (error instanceof oauth.ResponseBodyError) {
    const found = `The token endpoint answered ${said(error)}.`
    const refusal = loginFailure(tokenCause(error), { found, error })
    // It concerns everyone, and no session ends by it.
    return refusal.code === 'LOGIN_REFUSED' ? withCode('LOGIN_UNAVAILABLE', refusal) : refusal
  }
  return responseFailure(error)
}

const authorizationCauses: Readonly<Record<string, LoginFailureCause>> = {
  temporarily_unavailable: 'failing',
  server_error: 'failing',
  access_denied: 'cancelled',
  consent_required: 'interactionNeeded',
  interaction_required: 'interactionNeeded',
  login_required: 'interactionNeeded',
  account_selection_required: 'interactionNeeded',
  redirect_uri_mismatch: 'redirectRefused',
}

/** The errors of token endpoints that say that a code is not valid; the second one is GitHub's. */
export const codeRefusals: readonly string[] = ['invalid_grant', 'bad_verification_code']

function tokenCause({
  error,
  error_description: description = '',
}: oauth.ResponseBodyError): LoginFailureCause {
  if (error === 'redirect_uri_mismatch' || /redirect/i.test(description)) return 'redirectRefused'
  return codeRefusals.includes(error) ? 'codeRefused' : 'requestRefused'
}

/**
 * Whether the token endpoint has refused the credentials of the client. Keycloak says `unauthorized_client` for a wrong
 * secret, GitHub `incorrect_client_credentials`.
 */
export function isClientRefusal(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.status === 401
  if (!(error instanceof oauth.ResponseBodyError)) return false
  const { error: code, status, error_description: description = '' } = error
  if (code === 'invalid_client' || code === 'incorrect_client_credentials') return true
  return (
    code === 'unauthorized_client' && (status === 401 || /client (secret|credentials)/i.test(description))
  )
}

function userinfoFailure(error: unknown): AppError {
  const isRefused =
    error instanceof oauth.WWWAuthenticateChallengeError || error instanceof oauth.ResponseBodyError
  if (isRefused) {
    const found = `The userinfo endpoint answered with status ${error.status}.`
    return loginFailure('userinfoRefused', { found, error })
  }
  return responseFailure(error)
}

const responseCauses: Readonly<Record<string, LoginFailureCause>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'otherClaim',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'otherClaim',
  OAUTH_KEY_SELECTION_FAILED: 'unverified',
  OAUTH_UNSUPPORTED_OPERATION: 'unverified',
}

/** A response that came, and is not accepted. */
function responseFailure(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = inner instanceof Error ? inner.message : String(inner)
  const isSignature = /signature/i.test(message)
  const cause = isSignature ? 'unverified' : (responseCauses[code] ?? 'unreadable')
  return loginFailure(cause, { found: `The provider’s response: ${printed(message)}.`, error })
}

/** The error for a provider whose metadata cannot be used. */
export function discoveryFailure(issuer: string, error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const asked = `Discovery at ${issuer}`
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    const named = namedIssuer(error)
    const cause = named.includes('{tenantid}') ? 'severalTenants' : 'otherIssuer'
    return loginFailure(cause, { found: `${asked}: the provider names the issuer ${printed(named)}.`, error })
  }
  const reasons: Readonly<Record<string, string>> = {
    OAUTH_RESPONSE_IS_NOT_CONFORM: 'the status of the response is not 200',
    OAUTH_RESPONSE_IS_NOT_JSON: 'the response is not JSON but something else, such as a page',
    OAUTH_PARSE_ERROR: 'the response is not valid JSON',
  }
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  return loginFailure('noMetadata', { found: `${asked}: ${printed(reason)}.`, error })
}

/** The library keeps the metadata in the innermost cause. */
function namedIssuer(error: unknown): string {
  let facts = error
  while (facts instanceof Error) facts = facts.cause
  if (typeof facts !== 'object' || facts === null || !('body' in facts)) return ''
  const { body } = facts
  return typeof body === 'object' && body !== null && 'issuer' in body ? String(body.issuer) : ''
}

function said(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const { error: code, error_description: description } = error
    return description === undefined ? printed(code) : `${printed(code)} (“${printed(description)}”)`
  }
  return error instanceof oauth.WWWAuthenticateChallengeError ? `with status ${error.status}` : 'an error'
}

function withCode(code: 'LOGIN_UNAVAILABLE', { detail, cause }: AppError): AppError {
  return new AppError(code, { ...(detail === undefined ? {} : { detail }), cause })
}
