/** What a web front stores for one browser, with all its tabs. */
export interface Session {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** When it was last used, approximately; milliseconds since 1970. */
  readonly seenAt: number
  /** The page of the application that was served last. */
  readonly page: PageAddress
  /** Absent before login. */
  readonly login?: Login
}

/** A page of the application, by its address. */
export interface PageAddress {
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
}

/** A login. */
export interface Login {
  /** Name of the login provider. */
  readonly provider: string
  readonly strategy: string
  readonly account: LoginAccount
  /** Whether the role in `account` came from the provider, and is not replaced by the one at the gateway. */
  readonly claimsRole?: boolean
  /** The account at the gateway, if known. */
  readonly gateway?: GatewayAccount
  /** The token for the backend, if there is one. */
  readonly credential?: Credential
  /** When that token was obtained, in milliseconds since 1970; absent in sessions of earlier versions. */
  readonly credentialSince?: number
  /** Earlier tokens that may still be valid, the newest last: they end with the session. */
  readonly earlierTokens?: readonly string[]
  /** How many times the token was renewed. */
  readonly renewals: number
  /** The provider's own tokens, never shown to anyone. */
  readonly providerTokens?: ProviderTokens
}

/** A person's account at a login provider. */
export interface LoginAccount {
  readonly account_id: string
  readonly account_role?: string
  readonly displayName?: string
  readonly avatar?: string
  /** The claims that are configured to be shown. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** A person's account at the gateway. */
export interface GatewayAccount {
  readonly username: string
  /** Changes if the account is created again; absent if the gateway has not sent it. */
  readonly id?: string
  /** ISO 8601; absent if the account does not expire. */
  readonly expires?: string
  readonly metadata?: unknown
  /** Names of its roles, when the token was made; absent in sessions of earlier versions. */
  readonly roles?: readonly string[]
  /** The token with which the account was last confirmed; absent before the first time. */
  readonly token?: string
  /** Proof of the password that was checked at login; absent if none was. */
  readonly browser?: string
}

/** A token for the backend. */
export interface Credential {
  readonly accessToken: string
  /** ISO 8601; absent if unknown. */
  readonly expires?: string
}

/** Tokens of the login provider. */
export interface ProviderTokens {
  readonly refreshToken?: string
  readonly idToken?: string
  /** Subject of the ID token: a later one must have the same. */
  readonly subject?: string
}
