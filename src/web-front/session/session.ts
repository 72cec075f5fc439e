/** What a web front knows of one browser, whatever the number of its tabs. */
export interface Session {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** When it was used last, give or take a little; milliseconds since 1970. */
  readonly seenAt: number
  /** The page of the application that was rendered last. */
  readonly page: Page
  /** Absent until somebody has logged in. */
  readonly login?: Login
}

/** A page of the application, as far as its address tells. */
export interface Page {
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
}

/** Somebody who has logged in. */
export interface Login {
  /** Name of the login provider. */
  readonly provider: string
  readonly strategy: string
  readonly account: LoginAccount
  /** What the gateway says of the account, where it was asked. */
  readonly gateway?: GatewayAccount
  /** The token for the backend, where there is one. */
  readonly credential?: Credential
  /** Tokens that came before it and may still be good, the newest last: they end with the session. */
  readonly earlierTokens?: readonly string[]
  /** How many times the token was renewed. */
  readonly renewals: number
  /** What the provider gave for later: never shown to anybody. */
  readonly providerTokens?: ProviderTokens
}

/** The account of somebody at a login provider. */
export interface LoginAccount {
  readonly account_id: string
  readonly account_role?: string
  readonly displayName?: string
  readonly avatar?: string
  /** The claims that are configured to be shown. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** The account of somebody at the gateway. */
export interface GatewayAccount {
  readonly username: string
  /** Another one where the account is made again; absent where the gateway has not said it. */
  readonly id?: string
  /** ISO 8601; absent when the account has no end. */
  readonly expires?: string
  readonly metadata?: unknown
  /** The token by which the gateway knew the account last; absent where it has not been asked yet. */
  readonly token?: string
  /** Proves that the password was checked with which somebody logged in here; absent where none was. */
  readonly browser?: string
}

/** A token for the backend. */
export interface Credential {
  readonly accessToken: string
  /** ISO 8601; absent when nobody knows. */
  readonly expires?: string
}

/** Tokens of the login provider. */
export interface ProviderTokens {
  readonly refreshToken?: string
  readonly idToken?: string
  /** Subject of the ID token: a later one must have the same. */
  readonly subject?: string
}
