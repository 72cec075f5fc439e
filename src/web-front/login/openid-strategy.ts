/** Logins by OpenID Connect: https://openid.net/specs/openid-connect-core-1_0.html */
import { setTimeout as wait } from 'node:timers/promises'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import type { ClaimRules } from '../../util/claim-rules.ts'
import type { Claims } from '../../util/claims.ts'
import {
  beginAuthorization,
  completeAuthorization,
  endOf,
  revokeTokens,
  type Tokens,
} from '../oauth/authorization-code.ts'
import type { ClaimMapping } from '../oauth/claims.ts'
import { type OauthClient, signatureAlgorithms } from '../oauth/oauth-client.ts'
import { providerFailure } from '../oauth/provider-failure.ts'
import { providerFetch } from '../oauth/provider-fetch.ts'
import { hashOf } from '../session/secret.ts'
import { identify } from './identify.ts'
import { loginFailure } from './login-failures.ts'
import type { Identity, RedirectStrategy } from './login-strategy.ts'

export interface OpenidSettings {
  readonly mapping: ClaimMapping
  readonly rules: ClaimRules
  /** Whether a logout ends the session at the provider as well. */
  readonly endsProviderSession: boolean
  /** Whether the provider then gets the ID token; the browser sees it too. */
  readonly showsIdToken?: boolean
  /** Whether the provider’s access token is the one for the backend. */
  readonly usesAccessToken: boolean
}

type ProviderKeys = ReturnType<typeof createRemoteJWKSet>

/** Anyone may send a token with an unknown key: the provider's keys are fetched no more often than this. */
const keysRestMs = 2000

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

export function openidStrategy(client: OauthClient, settings: OpenidSettings): RedirectStrategy {
  const { provider, clientId } = client.settings
  let keys: ProviderKeys | undefined

  async function keysOf({ jwks_uri: address }: oauth.ServerMetadata) {
    if (address === undefined) throw new AppError('LOGOUT_TOKEN_REFUSED')
    keys ??= createRemoteJWKSet(new URL(address), {
      [customFetch]: providerFetch,
      cooldownDuration: keysRestMs,
    })
    return keys
  }

  return {
    kind: 'redirect',
    begin: (start) => beginAuthorization(client, start),
    async complete(answer) {
      const tokens = await completeAuthorization(client, answer)
      const claims = await claimsOf(client, tokens)
      return identityOf(claims, tokens, provider, settings)
    },
    async logoutUrl(tokens, back) {
      if (!settings.endsProviderSession) return undefined
      const configuration = await client.configuration()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return oauth.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: back,
        ...(settings.showsIdToken && tokens?.idToken ? { id_token_hint: tokens.idToken } : {}),
      }).href
    },
    revoke: (tokens) => revokeTokens(client, tokens),
    /** https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation */
    async groupToEnd(logoutToken) {
      const server = await client.server()
      try {
        const payload = await payloadOf(logoutToken, await keysOf(server), {
          issuer: server.issuer,
          audience: clientId,
          algorithms: [...signatureAlgorithms],
          maxTokenAge: 600,
          clockTolerance: 30,
        })
        return groupNamedBy(payload, provider)
      } catch (cause) {
        const away = providerFailure(cause, 'login')
        throw away.code === 'LOGIN_UNAVAILABLE' ? away : new AppError('LOGOUT_TOKEN_REFUSED', { cause })
      }
    },
  }
}

/** The payload of a token. If the provider has rotated its keys right after they were fetched, they are fetched again. */
async function payloadOf(token: string, keys: ProviderKeys, options: JWTVerifyOptions): Promise<JWTPayload> {
  const areResting = keys.coolingDown
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!areResting || !(error instanceof errors.JWKSNoMatchingKey)) throw error
  }
  await wait(keysRestMs)
  return (await jwtVerify(token, keys, options)).payload
}

function groupNamedBy(payload: Claims, provider: string): string {
  const { events, nonce, iss, sid, sub } = payload
  const isLogout =
    typeof events === 'object' &&
    events !== null &&
    typeof (events as Claims)[logoutEvent] === 'object' &&
    (events as Claims)[logoutEvent] !== null
  if (!isLogout || nonce !== undefined) throw new AppError('LOGOUT_TOKEN_REFUSED')
  if (typeof sid === 'string') return sidGroup(provider, iss, sid)
  if (typeof sub === 'string') return subGroup(provider, iss, sub)
  throw new AppError('LOGOUT_TOKEN_REFUSED')
}

/** The claims of the ID token, and those of the userinfo endpoint. */
async function claimsOf(client: OauthClient, tokens: Tokens): Promise<Claims & { readonly sub: string }> {
  const claims = tokens.claims()
  if (claims === undefined)
    throw loginFailure('unreadable', { found: 'The token endpoint sent no ID token.' })
  const configuration = await client.configuration()
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  try {
    const userinfo = await oauth.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { ...claims, ...userinfo }
  } catch (error) {
    throw providerFailure(error, 'userinfo')
  }
}

function identityOf(
  claims: Claims & { readonly sub: string },
  tokens: Tokens,
  provider: string,
  { mapping, rules, usesAccessToken }: OpenidSettings,
): Identity {
  const { iss, sub, sid } = claims
  return {
    ...identify(claims, { provider, mapping, rules }),
    ...(usesAccessToken ? { credential: { accessToken: tokens.access_token, ...endOf(tokens) } } : {}),
    providerTokens: {
      subject: sub,
      ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
      ...(tokens.id_token === undefined ? {} : { idToken: tokens.id_token }),
    },
    groups: [
      subGroup(provider, iss, sub),
      ...(typeof sid === 'string' ? [sidGroup(provider, iss, sid)] : []),
    ],
  }
}

function sidGroup(provider: string, issuer: unknown, sid: string): string {
  return hashOf('sid', provider, String(issuer), sid)
}

function subGroup(provider: string, issuer: unknown, subject: string): string {
  return hashOf('sub', provider, String(issuer), subject)
}
