/** The authorization code flow, with PKCE, state and nonce: https://www.rfc-editor.org/rfc/rfc9700#section-2.1 */
import * as oauth from 'openid-client'
import type { Kept, LoginStart } from '../login/login-strategy.ts'
import type { ProviderTokens } from '../session/session.ts'
import type { OauthClient } from './oauth-client.ts'
import { providerFailure } from './provider-failure.ts'

/** The provider's response to a code. */
export type Tokens = Awaited<ReturnType<typeof oauth.authorizationCodeGrant>>

/** Where to redirect the browser, and what to remember. */
export async function beginAuthorization(
  client: OauthClient,
  { redirectUri, state, loginHint }: LoginStart,
): Promise<{ readonly url: string; readonly kept: Kept }> {
  const { scopes, parameters, server } = client.settings
  const verifier = oauth.randomPKCECodeVerifier()
  const nonce = server.kind === 'discovered' ? oauth.randomNonce() : undefined
  const url = oauth.buildAuthorizationUrl(await client.configuration(), {
    ...parameters,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  })
  return { url: url.href, kept: { verifier, ...(nonce === undefined ? {} : { nonce }) } }
}

/** The tokens for the code that a browser sent. Throws LOGIN_REFUSED, LOGIN_FAILED or LOGIN_UNAVAILABLE. */
export async function completeAuthorization(
  client: OauthClient,
  { callbackUrl, state, kept }: { readonly callbackUrl: URL; readonly state: string; readonly kept: Kept },
): Promise<Tokens> {
  const { verifier = '', nonce } = kept
  try {
    return await client.authenticated((configuration) =>
      oauth.authorizationCodeGrant(configuration, callbackUrl, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        ...(nonce === undefined ? {} : { expectedNonce: nonce, idTokenExpected: true }),
      }),
    )
  } catch (error) {
    throw providerFailure(error, 'login')
  }
}

/** Revokes a refresh token, if the provider supports that. */
export async function revokeTokens(
  client: OauthClient,
  { refreshToken }: Pick<ProviderTokens, 'refreshToken'>,
): Promise<void> {
  const { revocation_endpoint: endpoint } = await client.server()
  if (refreshToken === undefined || endpoint === undefined) return
  await client.authenticated((configuration) =>
    oauth.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }),
  )
}

/** When a token ends, as ISO 8601; nothing if the provider does not say. */
export function endOf({ expires_in: seconds }: Pick<Tokens, 'expires_in'>): { readonly expires?: string } {
  return seconds === undefined ? {} : { expires: new Date(Date.now() + seconds * 1000).toISOString() }
}
