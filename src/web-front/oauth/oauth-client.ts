/**
 * The client of a login provider: OAuth 2.0 (RFC 6749, with the advice of RFC 9700) and OpenID Connect. Outgoing requests
 * have limits on time and size, and follow no redirect.
 */
import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import { boundedFetch } from '../../http/outgoing.ts'
import type { OauthServer, OauthSettings } from './oauth-settings.ts'

/** Asymmetric signatures: the holder of a public key can verify but not make them. */
export const signatureAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** A client that discovers its provider at first use. */
export class OauthClient {
  readonly settings: OauthSettings
  #server: Promise<oauth.ServerMetadata> | undefined

  constructor(settings: OauthSettings) {
    this.settings = settings
  }

  /**
   * The configuration for one call of the library. It is new each time, without cached keys: the provider may have
   * rotated them. Throws LOGIN_UNAVAILABLE.
   */
  async configuration(): Promise<oauth.Configuration> {
    const server = await this.server()
    const { clientId } = this.settings
    const configuration = new oauth.Configuration(
      server,
      clientId,
      this.#clientMetadata(),
      this.#authentication(),
    )
    prepare(configuration, this.settings.server)
    oauth.enableNonRepudiationChecks(configuration)
    return configuration
  }

  /** The provider's metadata. Throws LOGIN_UNAVAILABLE. */
  server(): Promise<oauth.ServerMetadata> {
    this.#server ??= this.#findServer().catch((error: unknown) => {
      this.#server = undefined
      throw error
    })
    return this.#server
  }

  async #findServer(): Promise<oauth.ServerMetadata> {
    const { server, clientId } = this.settings
    if (server.kind === 'given') return metadataOf(server)
    try {
      const found = await oauth.discovery(
        new URL(server.issuer),
        clientId,
        this.#clientMetadata(),
        this.#authentication(),
        { [oauth.customFetch]: providerFetch, execute: isPlain(server) ? [oauth.allowInsecureRequests] : [] },
      )
      const metadata = found.serverMetadata()
      refuseWithoutEndpoints(metadata)
      return withSafeAlgorithms({ ...metadata })
    } catch (cause) {
      throw new AppError('LOGIN_UNAVAILABLE', { cause })
    }
  }

  #clientMetadata(): Partial<oauth.ClientMetadata> {
    return { [oauth.clockTolerance]: 30 }
  }

  #authentication(): oauth.ClientAuth {
    const { clientSecret, clientAuthentication } = this.settings
    if (clientSecret === undefined) return oauth.None()
    return clientAuthentication === 'basic'
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret)
  }
}

function prepare(configuration: oauth.Configuration, server: OauthServer): void {
  configuration[oauth.customFetch] = providerFetch
  if (isPlain(server)) oauth.allowInsecureRequests(configuration)
}

/** Whether a provider uses plain HTTP, which the configuration allows on this machine. */
function isPlain(server: OauthServer): boolean {
  const address = server.kind === 'discovered' ? server.issuer : server.tokenEndpoint
  return new URL(address).protocol === 'http:'
}

/** The library would find out only when it needs them, during a login. */
function refuseWithoutEndpoints(metadata: oauth.ServerMetadata): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (metadata[name] === undefined) throw new Error(`The provider's metadata lacks ${name}.`)
  }
}

function metadataOf(server: Extract<OauthServer, { kind: 'given' }>): oauth.ServerMetadata {
  const { issuer, authorizationEndpoint, tokenEndpoint, userinfoEndpoint, revocationEndpoint } = server
  return {
    issuer: issuer ?? new URL(authorizationEndpoint).origin,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    ...(userinfoEndpoint === undefined ? {} : { userinfo_endpoint: userinfoEndpoint }),
    ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
  }
}

function withSafeAlgorithms(server: oauth.ServerMetadata): oauth.ServerMetadata {
  const offered = server.id_token_signing_alg_values_supported ?? ['RS256']
  return {
    ...server,
    id_token_signing_alg_values_supported: offered.filter((name) => signatureAlgorithms.includes(name)),
  }
}

/**
 * A `fetch` for requests to a provider. It distinguishes a provider that is unavailable from one with an invalid
 * response.
 */
export async function providerFetch(url: string, init: unknown): Promise<Response> {
  try {
    const response = await boundedFetch(url, init as RequestInit)
    if (response.status < 500 && response.status !== 429) return response
    throw new Error(`The login provider responded with status ${response.status}.`)
  } catch (cause) {
    throw new AppError('LOGIN_UNAVAILABLE', { cause })
  }
}

/** What an error of the library means to the person who logs in. */
export function loginErrorOf(error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause
  }
  if (error instanceof oauth.AuthorizationResponseError) {
    const { error: code } = error
    if (code === 'temporarily_unavailable' || code === 'server_error') {
      return new AppError('LOGIN_UNAVAILABLE', { cause: error })
    }
    const detail =
      code === 'access_denied'
        ? 'The login provider did not let you in, or you cancelled the login.'
        : 'The login provider refused the login.'
    return new AppError('LOGIN_REFUSED', { detail, cause: error })
  }
  if (error instanceof oauth.ResponseBodyError && error.error !== 'invalid_grant') {
    return new AppError('LOGIN_UNAVAILABLE', { cause: error })
  }
  const detail = 'The login provider’s response is not valid, or was used before.'
  return new AppError('LOGIN_FAILED', { detail, cause: error })
}
