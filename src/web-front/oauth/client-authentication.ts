/** How the web front authenticates as a client: https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication */
import { createPrivateKey } from 'node:crypto'
import { importJWK, type JWK } from 'jose'
import * as oauth from 'openid-client'
import { loginFailure } from '../login/login-failures.ts'
import type { ClientAuthentication, OauthSettings } from './oauth-settings.ts'

/** One way to authenticate. */
export interface AuthenticationWay {
  /** Its name in a provider's metadata, such as `client_secret_basic`; ways with the same name differ in what follows. */
  readonly id: string
  readonly authenticate: oauth.ClientAuth
}

const names: Readonly<Record<ClientAuthentication, string>> = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
  client_secret_jwt: 'client_secret_jwt',
  private_key_jwt: 'private_key_jwt',
  none: 'none',
}

type Credentials = Pick<OauthSettings, 'clientSecret' | 'clientKey' | 'clientAuthentication'>

/**
 * The ways to try, best first: the configured one, or those that the provider announces and the credentials allow.
 * Throws LOGIN_UNAVAILABLE if the key cannot be used.
 */
export async function authenticationWays(
  credentials: Credentials,
  { token_endpoint_auth_methods_supported: announced, token_endpoint: endpoint }: oauth.ServerMetadata,
): Promise<readonly AuthenticationWay[]> {
  const { clientSecret, clientKey, clientAuthentication: chosen } = credentials
  if (chosen === 'none' || (clientSecret === undefined && clientKey === undefined)) {
    return [{ id: names.none, authenticate: oauth.None() }]
  }
  if (clientKey !== undefined && (chosen === undefined || chosen === 'private_key_jwt')) {
    return waysWithKey(clientKey, endpoint)
  }
  const possible = ['basic', 'post', 'client_secret_jwt'] as const
  const wanted = possible.filter((way) =>
    chosen === undefined ? announced?.includes(names[way]) : way === chosen,
  )
  // Without metadata, and with metadata that fits nothing, the usual ways are tried.
  const ways = wanted.length === 0 ? (['basic', 'post'] as const) : wanted.slice(0, 2)
  return ways.map((way) => ({ id: names[way], authenticate: withSecret(way, clientSecret ?? '') }))
}

function withSecret(way: 'basic' | 'post' | 'client_secret_jwt', secret: string): oauth.ClientAuth {
  if (way === 'post') return oauth.ClientSecretPost(secret)
  if (way === 'client_secret_jwt') return oauth.ClientSecretJwt(secret)
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }
}

/**
 * Encodes what has to be encoded, and leaves `-`, `_`, `.` and `~` alone: they mean the same to providers that decode
 * credentials (https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1) and to those that do not.
 */
function encoded(text: string): string {
  return encodeURIComponent(text)
}

/** Some providers want their token endpoint as the audience, as older specifications do, instead of the issuer. */
async function waysWithKey(
  clientKey: string,
  tokenEndpoint: string | undefined,
): Promise<readonly AuthenticationWay[]> {
  const key = await importKey(clientKey)
  const wayFor = (audience: string | undefined) => ({
    id: `${names.private_key_jwt}${audience === undefined ? '' : ` for ${audience}`}`,
    authenticate: oauth.PrivateKeyJwt(key, {
      [oauth.modifyAssertion]: (header, payload) => {
        // Few providers know the newer name yet.
        if (header.alg === 'Ed25519') header.alg = 'EdDSA'
        if (audience !== undefined) payload.aud = audience
      },
    }),
  })
  return [wayFor(undefined), wayFor(tokenEndpoint)]
}

const algorithms: Readonly<Record<string, string>> = {
  RSA: 'RS256',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'Ed25519',
}

async function importKey(text: string): Promise<oauth.PrivateKey> {
  try {
    const jwk: JWK = text.trimStart().startsWith('{')
      ? JSON.parse(text)
      : createPrivateKey(text).export({ format: 'jwk' })
    const algorithm = jwk.alg ?? algorithms[jwk.crv ?? jwk.kty ?? '']
    const key = await importJWK(jwk, algorithm)
    if (key instanceof Uint8Array || key.type !== 'private') throw new Error('It is not a private key.')
    return jwk.kid === undefined ? { key } : { key, kid: jwk.kid }
  } catch (cause) {
    // The message of the cause may quote the key.
    const name = cause instanceof Error ? cause.name : 'error'
    throw loginFailure('clientRefused', {
      found: `config.clientKey cannot be read as a private key (${name}).`,
    })
  }
}
