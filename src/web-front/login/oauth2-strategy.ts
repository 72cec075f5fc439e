/** Logins by OAuth 2.0 without OpenID Connect: the identity comes from an API of the provider. */
import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import {
  beginAuthorization,
  completeAuthorization,
  endOf,
  revokeTokens,
} from '../oauth/authorization-code.ts'
import { accountOf, type ClaimMapping, type Claims, gatewayUsernameOf } from '../oauth/claims.ts'
import { loginErrorOf, type OauthClient } from '../oauth/oauth-client.ts'
import type { RedirectStrategy } from './login-strategy.ts'

export interface Oauth2Settings {
  readonly mapping: ClaimMapping
  /** Whether the provider’s access token is the one for the backend. */
  readonly usesAccessToken: boolean
}

export function oauth2Strategy(
  client: OauthClient,
  { mapping, usesAccessToken }: Oauth2Settings,
): RedirectStrategy {
  const { provider } = client.settings
  return {
    kind: 'redirect',
    begin: (start) => beginAuthorization(client, start),
    async complete(answer) {
      const tokens = await completeAuthorization(client, answer)
      const claims = await readAccount(client, tokens.access_token)
      const account = accountOf(claims, mapping)
      if (account === undefined) {
        const detail = `The login provider does not send the claim “${mapping.accountId}”, which identifies the account.`
        throw new AppError('LOGIN_REFUSED', { detail })
      }
      const username = gatewayUsernameOf(claims, mapping, provider, account.account_id)
      return {
        account,
        ...(username === undefined ? {} : { gateway: { username } }),
        ...(usesAccessToken ? { credential: { accessToken: tokens.access_token, ...endOf(tokens) } } : {}),
        providerTokens: tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token },
        groups: [],
      }
    },
    revoke: (tokens) => revokeTokens(client, tokens),
  }
}

async function readAccount(client: OauthClient, accessToken: string): Promise<Claims> {
  const configuration = await client.configuration()
  const { userinfo_endpoint: address } = configuration.serverMetadata()
  if (address === undefined) throw new AppError('LOGIN_FAILED')
  try {
    const headers = new Headers({ accept: 'application/json' })
    const url = new URL(address)
    const response = await oauth.fetchProtectedResource(configuration, accessToken, url, 'GET', null, headers)
    const document: unknown = response.status === 200 ? await response.json() : undefined
    if (typeof document === 'object' && document !== null && !Array.isArray(document))
      return document as Claims
    throw new Error(
      `The login provider responded with status ${response.status} to the request for the account.`,
    )
  } catch (error) {
    throw loginErrorOf(error)
  }
}
