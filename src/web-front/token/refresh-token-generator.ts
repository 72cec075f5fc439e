import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import { endOf } from '../oauth/authorization-code.ts'
import type { OauthClient } from '../oauth/oauth-client.ts'
import { providerFailure } from '../oauth/provider-failure.ts'
import type { TokenGenerator } from './token-generator.ts'

/** Access tokens of the login provider, for its refresh token: https://www.rfc-editor.org/rfc/rfc6749#section-6 */
export function refreshTokenGenerator(client: OauthClient): TokenGenerator {
  return {
    async generate({ providerTokens = {} }) {
      const { refreshToken, subject } = providerTokens
      if (refreshToken === undefined) throw refused('The login provider sent no refresh token.')
      const tokens = await grant(client, refreshToken)
      const claims = tokens.claims()
      if (claims !== undefined && claims.sub !== subject) throw refused('The token belongs to another user.')
      return {
        credential: { accessToken: tokens.access_token, ...endOf(tokens) },
        providerTokens: {
          ...providerTokens,
          refreshToken: tokens.refresh_token ?? refreshToken,
          ...(tokens.id_token === undefined ? {} : { idToken: tokens.id_token }),
        },
      }
    },
  }
}

async function grant(client: OauthClient, refreshToken: string) {
  try {
    return await client.authenticated((configuration) => oauth.refreshTokenGrant(configuration, refreshToken))
  } catch (error) {
    const failure = providerFailure(error, 'login')
    if (failure.code === 'LOGIN_UNAVAILABLE') throw failure
    const { detail, cause } = failure
    throw new AppError('LOGIN_REFUSED', { ...(detail === undefined ? {} : { detail }), cause })
  }
}

function refused(explanation: string): AppError {
  return new AppError('LOGIN_REFUSED', { cause: new Error(explanation) })
}
