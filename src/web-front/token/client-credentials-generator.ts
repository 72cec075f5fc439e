import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import { endOf } from '../oauth/authorization-code.ts'
import type { OauthClient } from '../oauth/oauth-client.ts'
import { providerFailure } from '../oauth/provider-failure.ts'
import type { Credential } from '../session/session.ts'
import type { TokenGenerator } from './token-generator.ts'

/** Access tokens of the web front itself, the same for all users: https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
export function clientCredentialsGenerator(client: OauthClient, scopes: readonly string[]): TokenGenerator {
  return { generate: async () => ({ credential: await requestClientToken(client, scopes) }) }
}

/** One such token. Throws LOGIN_UNAVAILABLE: the failure never depends on the user. */
export async function requestClientToken(
  client: OauthClient,
  scopes: readonly string[],
): Promise<Credential> {
  const parameters: Record<string, string> = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
  try {
    const tokens = await client.authenticated((configuration) =>
      oauth.clientCredentialsGrant(configuration, parameters),
    )
    return { accessToken: tokens.access_token, ...endOf(tokens) }
  } catch (error) {
    const { detail, cause } = providerFailure(error, 'login')
    throw new AppError('LOGIN_UNAVAILABLE', { ...(detail === undefined ? {} : { detail }), cause })
  }
}
