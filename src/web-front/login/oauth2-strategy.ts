/** Logins by OAuth 2.0 without OpenID Connect: the identity comes from an API of the provider. */
import * as oauth from 'openid-client'
import type { ClaimRules } from '../../util/claim-rules.ts'
import type { Claims } from '../../util/claims.ts'
import {
  beginAuthorization,
  completeAuthorization,
  endOf,
  revokeTokens,
} from '../oauth/authorization-code.ts'
import type { ClaimMapping } from '../oauth/claims.ts'
import type { OauthClient } from '../oauth/oauth-client.ts'
import { providerFailure } from '../oauth/provider-failure.ts'
import { identify } from './identify.ts'
import { loginFailure } from './login-failures.ts'
import type { RedirectStrategy } from './login-strategy.ts'

export interface Oauth2Settings {
  readonly mapping: ClaimMapping
  readonly rules: ClaimRules
  /** Whether the provider’s access token is the one for the backend. */
  readonly usesAccessToken: boolean
}

export function oauth2Strategy(
  client: OauthClient,
  { mapping, rules, usesAccessToken }: Oauth2Settings,
): RedirectStrategy {
  const { provider } = client.settings
  return {
    kind: 'redirect',
    begin: (start) => beginAuthorization(client, start),
    async complete(answer) {
      const tokens = await completeAuthorization(client, answer)
      const claims = await readAccount(client, tokens.access_token)
      return {
        ...identify(claims, { provider, mapping, rules }),
        ...(usesAccessToken ? { credential: { accessToken: tokens.access_token, ...endOf(tokens) } } : {}),
        providerTokens: tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token },
        groups: [],
      }
    },
    revoke: (tokens) => revokeTokens(client, tokens),
  }
}

async function readAccount(client: OauthClient, accessToken: string): Promise<Claims> {
  const { server } = client.settings
  const { userinfo_endpoint: address } = await client.server()
  if (address === undefined)
    throw loginFailure('userinfoRefused', { found: 'config.userinfoEndpoint is missing.' })
  const { status, document } = await read(client, accessToken, address)
  if (status !== 200 || !isObject(document)) {
    throw loginFailure('userinfoRefused', { found: `${address} responded with status ${status}.` })
  }
  const emails = server.kind === 'given' ? server.emailsEndpoint : undefined
  return emails === undefined
    ? document
    : { ...document, ...(await verifiedEmail(client, accessToken, emails)) }
}

/**
 * The verified primary address in a list such as https://docs.github.com/rest/users/emails; nothing if the token may not
 * read the list.
 */
async function verifiedEmail(client: OauthClient, accessToken: string, address: string): Promise<Claims> {
  const { document } = await read(client, accessToken, address)
  const list: readonly unknown[] = Array.isArray(document) ? document : []
  const primary = list.filter(isObject).find(({ primary, verified }) => primary === true && verified === true)
  return primary === undefined ? {} : { email: primary.email, email_verified: true }
}

interface ApiResponse {
  readonly status: number
  /** Undefined if the status is not 200. */
  readonly document: unknown
}

async function read(client: OauthClient, accessToken: string, address: string): Promise<ApiResponse> {
  try {
    const headers = new Headers({ accept: 'application/json' })
    const configuration = await client.configuration()
    const url = new URL(address)
    const response = await oauth.fetchProtectedResource(configuration, accessToken, url, 'GET', null, headers)
    const { status } = response
    return { status, document: status === 200 ? await response.json() : undefined }
  } catch (error) {
    throw providerFailure(error, 'userinfo')
  }
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
