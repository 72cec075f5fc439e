/** The settings of an OAuth 2.0 provider. */
export interface OauthSettings {
  /** Name of the way to log in. */
  readonly provider: string
  readonly server: OauthServer
  readonly clientId: string
  /** Absent for a public client, and for one with a key. */
  readonly clientSecret?: string
  /** The private key of the client: PEM text (PKCS #8), or a JWK as JSON text, whose `kid` is sent. */
  readonly clientKey?: string
  /** How the client authenticates; without one, as the provider announces. */
  readonly clientAuthentication?: ClientAuthentication
  readonly scopes: readonly string[]
  /** More parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>
}

/** https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication */
export type ClientAuthentication = 'basic' | 'post' | 'client_secret_jwt' | 'private_key_jwt' | 'none'

export type OauthServer =
  /** Its endpoints are found by OpenID Connect Discovery. */
  | { readonly kind: 'discovered'; readonly issuer: string }
  | {
      readonly kind: 'given'
      /** The issuer in its responses, if it sends one. */
      readonly issuer?: string
      readonly authorizationEndpoint: string
      readonly tokenEndpoint: string
      readonly userinfoEndpoint?: string
      /** Where the e-mail addresses of the person are, if the userinfo has none: https://docs.github.com/rest/users/emails */
      readonly emailsEndpoint?: string
      readonly revocationEndpoint?: string
    }
