/** The settings of an OAuth 2.0 provider. */
export interface OauthSettings {
  /** Name of the way to log in. */
  readonly provider: string
  readonly server: OauthServer
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret?: string
  readonly clientAuthentication: 'basic' | 'post'
  readonly scopes: readonly string[]
  /** More parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>
}

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
      readonly revocationEndpoint?: string
    }
