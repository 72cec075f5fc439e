import type { Credential, GatewayAccount, LoginAccount, ProviderTokens } from '../session/session.ts'

/** Somebody whom a login provider vouches for. */
export interface Identity {
  readonly account: LoginAccount
  readonly gateway?: GatewayAccount
  readonly credential?: Credential
  readonly providerTokens?: ProviderTokens
  /** Groups by which the provider can name the session later. */
  readonly groups: readonly string[]
}

/** What a log-in keeps on this side while the browser is at the provider. */
export type Kept = Readonly<Record<string, string>>

/** A log-in at a provider of its own, to which the browser is sent and from which it comes back. */
export interface RedirectStrategy {
  readonly kind: 'redirect'
  /** Where to send the browser, and what to remember of it. */
  begin(start: { readonly redirectUri: string; readonly state: string }): Promise<{
    readonly url: string
    readonly kept: Kept
  }>
  /** Throws LOGIN_FAILED for whatever is wrong with the answer, LOGIN_UNAVAILABLE when the provider does not do its part. */
  complete(answer: {
    /** With the query that the browser brought. */
    readonly callbackUrl: URL
    readonly state: string
    readonly kept: Kept
  }): Promise<Identity>
  /** Where to send the browser to end the session at the provider as well; undefined where it has no such place. */
  logoutUrl?(tokens: ProviderTokens | undefined, back: string): Promise<string | undefined>
  /** Gives up what the provider gave for later. */
  revoke?(tokens: ProviderTokens): Promise<void>
  /** The group of the sessions that a logout token of the provider ends. Throws LOGOUT_TOKEN_REFUSED. */
  groupToEnd?(logoutToken: string): Promise<string>
}

/** A log-in by a form of our own. */
export interface FormStrategy {
  readonly kind: 'form'
  readonly fields: readonly FormField[]
  /** Names of fields that the form does not show, and takes all the same. */
  readonly alsoTaken: readonly string[]
  /** Throws LOGON_THROTTLED when too much was wrong before. */
  logIn(entered: Readonly<Record<string, string>>, client: FormClient): Promise<FormOutcome>
  /** Ends the token that a log-in gave. */
  revoke(accessToken: string): Promise<void>
}

/** Who has sent a form. */
export interface FormClient {
  /** Network address. */
  readonly address: string
  /** Proofs that accounts have logged in with this browser before. */
  readonly browsers: readonly string[]
}

/** What a form came to: somebody, with a proof for the browser to keep; or a sentence on what is wrong. */
export type FormOutcome =
  | { readonly identity: Identity; readonly browser?: string }
  | { readonly mistake: string }

/** A field of a form. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password'
  /** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
  readonly autocomplete: string
}

export type LoginStrategy = RedirectStrategy | FormStrategy
