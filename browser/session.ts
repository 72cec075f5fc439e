/** What the web front knows of this browser: the response of `GET /session`. */
export interface Session {
  readonly id: string
  /** Absent if no one has to log in. */
  readonly auth?: Login
  /** Base path or address for calls of the backend. */
  readonly backend: string
  /** From `configs` of the web front's configuration. */
  readonly configs: Readonly<Record<string, unknown>>
  /** Query of the page that the web front served last in this session; a repeated parameter has a list. */
  readonly query: Readonly<Record<string, unknown>>
  /** Values of the path variables of that page. */
  readonly params: Readonly<Record<string, string>>
  readonly sessions?: readonly string[]
}

/** Who is logged in. */
export interface Login {
  readonly account_id: string
  readonly account_role?: string
  readonly displayName?: string
  readonly avatar?: string
  readonly strategy: string
  readonly provider: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly expires?: string
  readonly metadata?: unknown
  /** Absent if the web front adds tokens itself. */
  readonly accessToken?: string
  /** When the access token ends (ISO 8601). */
  readonly credentialExpires?: string
}
