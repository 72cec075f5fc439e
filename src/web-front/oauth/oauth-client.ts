/**
 * The client of a login provider: OAuth 2.0 (RFC 6749, with the advice of RFC 9700) and OpenID Connect.
 */
import * as oauth from 'openid-client'
import { loginFailure } from '../login/login-failures.ts'
import { type AuthenticationWay, authenticationWays } from './client-authentication.ts'
import type { OauthServer, OauthSettings } from './oauth-settings.ts'
import { discoveryFailure, isClientRefusal } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'

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
  /** The way to authenticate that the provider has accepted in place of the first one. */
  #accepted: string | undefined

  constructor(settings: OauthSettings) {
    this.settings = settings
  }

  /**
   * The configuration for one call of the library. It is new each time, without cached keys: the provider may have
   * rotated them. Throws LOGIN_UNAVAILABLE.
   */
  async configuration(): Promise<oauth.Configuration> {
    const [way] = await this.#ways()
    return this.#configurationWith(way)
  }

  /**
   * Does work that authenticates the client. If the provider refuses the credentials, does it again in the other way
   * that the provider announces, and remembers which one worked.
   */
  async authenticated<Result>(
    work: (configuration: oauth.Configuration) => Promise<Result>,
  ): Promise<Result> {
    const [first, second] = await this.#ways()
    try {
      return await work(await this.#configurationWith(first))
    } catch (refusal) {
      if (second === undefined || !isClientRefusal(refusal)) throw refusal
      try {
        const result = await work(await this.#configurationWith(second))
        this.#accepted = second.id
        return result
      } catch (error) {
        if (isClientRefusal(error)) throw refusal
        if (error instanceof oauth.ResponseBodyError) this.#accepted = second.id
        throw error
      }
    }
  }

  /** The provider's metadata. Throws LOGIN_UNAVAILABLE. */
  server(): Promise<oauth.ServerMetadata> {
    this.#server ??= this.#findServer().catch((error: unknown) => {
      this.#server = undefined
      throw error
    })
    return this.#server
  }

  async #configurationWith(way: AuthenticationWay | undefined): Promise<oauth.Configuration> {
    const { clientId, server } = this.settings
    const metadata = { [oauth.clockTolerance]: 30 }
    const configuration = new oauth.Configuration(
      await this.server(),
      clientId,
      metadata,
      way?.authenticate ?? oauth.None(),
    )
    prepare(configuration, server)
    oauth.enableNonRepudiationChecks(configuration)
    return configuration
  }

  /** The ways to authenticate, best first. */
  async #ways(): Promise<readonly AuthenticationWay[]> {
    const ways = await authenticationWays(this.settings, await this.server())
    const accepted = ways.filter(({ id }) => id === this.#accepted)
    return [...accepted, ...ways.filter((way) => !accepted.includes(way))]
  }

  async #findServer(): Promise<oauth.ServerMetadata> {
    const { server, clientId } = this.settings
    if (server.kind === 'given') return metadataOf(server)
    try {
      const execute = isPlain(server) ? [oauth.allowInsecureRequests] : []
      const options = { [oauth.customFetch]: providerFetch, execute }
      const found = await oauth.discovery(new URL(server.issuer), clientId, {}, oauth.None(), options)
      const metadata = found.serverMetadata()
      refuseWithoutEndpoints(metadata, server.issuer)
      return withSafeAlgorithms({ ...metadata })
    } catch (error) {
      throw discoveryFailure(server.issuer, error)
    }
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
function refuseWithoutEndpoints(metadata: oauth.ServerMetadata, issuer: string): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (metadata[name] !== undefined) continue
    throw loginFailure('incompleteMetadata', { found: `The metadata of ${issuer} lacks ${name}.` })
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
