/** How to reach a login provider that speaks OAuth 2.0. */
export interface OauthSettings {
  /** Name of the way to log in. */
  readonly provider: string
  readonly server: OauthServer
  readonly clientId: string
  /** Absent for a client that cannot keep one. */
  readonly clientSecret?: string
  readonly clientAuthentication: 'basic' | 'post'
  readonly scopes: readonly string[]
  /** More parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>
}

export type OauthServer =
  /** Its addresses are found by OpenID Connect Discovery. */
  | { readonly kind: 'discovered'; readonly issuer: string }
  | {
      readonly kind: 'given'
      /** What it calls itself in its answers, where it does. */
      readonly issuer?: string
      readonly authorizationEndpoint: string
      readonly tokenEndpoint: string
      readonly userinfoEndpoint?: string
      readonly revocationEndpoint?: string
    }
