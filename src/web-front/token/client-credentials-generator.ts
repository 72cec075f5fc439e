import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import { endOf } from '../oauth/authorization-code.ts'
import type { OauthClient } from '../oauth/oauth-client.ts'
import type { TokenGenerator } from './token-generator.ts'

/** Access tokens of the web front itself, the same for all users: https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
export function clientCredentialsGenerator(client: OauthClient, scopes: readonly string[]): TokenGenerator {
  return {
    async generate() {
      const parameters: Record<string, string> = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
      try {
        const tokens = await oauth.clientCredentialsGrant(await client.configuration(), parameters)
        return { credential: { accessToken: tokens.access_token, ...endOf(tokens) } }
      } catch (cause) {
        // The failure never depends on the user.
        throw new AppError('LOGIN_UNAVAILABLE', { cause })
      }
    },
  }
}
