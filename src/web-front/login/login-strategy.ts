import type { AccountGrants } from '../../util/claim-rules.ts'
import type { Credential, GatewayAccount, LoginAccount, ProviderTokens } from '../session/session.ts'
import type { FirstAccount, FirstUse } from './first/first-login.ts'

/** A person whom a login provider has authenticated. */
export interface Identity {
  readonly account: LoginAccount
  readonly gateway?: GatewayAccount
  /** Roles and metadata for the account at the gateway, from claims. */
  readonly grants?: AccountGrants
  readonly credential?: Credential
  readonly providerTokens?: ProviderTokens
  /** Groups by which the provider can name the session later. */
  readonly groups: readonly string[]
}

/** What the web front remembers while the browser is at the provider. */
export type Kept = Readonly<Record<string, string>>

/** The start of a login at another site. */
export interface LoginStart {
  readonly redirectUri: string
  readonly state: string
  /** Who probably logs in: https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest */
  readonly loginHint?: string
}

/** A login at another site, to which the browser is redirected and from which it returns. */
export interface RedirectStrategy {
  readonly kind: 'redirect'
  /** Where to redirect the browser, and what to remember. */
  begin(start: LoginStart): Promise<{
    readonly url: string
    readonly kept: Kept
  }>
  /** Throws LOGIN_FAILED for an invalid response, LOGIN_UNAVAILABLE if the provider fails. */
  complete(answer: {
    /** With its query. */
    readonly callbackUrl: URL
    readonly state: string
    readonly kept: Kept
  }): Promise<Identity>
  /** Where to redirect the browser to end the session at the provider as well; undefined if it has no such endpoint. */
  logoutUrl?(tokens: ProviderTokens | undefined, back: string): Promise<string | undefined>
  /** Revokes the provider's tokens. */
  revoke?(tokens: ProviderTokens): Promise<void>
  /** The group of the sessions that a logout token of the provider ends. Throws LOGOUT_TOKEN_REFUSED. */
  groupToEnd?(logoutToken: string): Promise<string>
}

/** A login by a form of the web front. */
export interface FormStrategy {
  readonly kind: 'form'
  /** The form to show: the first one, or the next one after an outcome that asks for more. */
  formFor(kept: Kept): LoginForm
  /** Names of further fields that are accepted but not shown. */
  readonly alsoTaken: readonly string[]
  /** Reads what was entered into the form for what is kept. Throws LOGON_THROTTLED after too many failures. */
  logIn(entered: Readonly<Record<string, string>>, client: FormClient, kept: Kept): Promise<FormOutcome>
  /** Ends the token of a login. */
  revoke(accessToken: string): Promise<void>
  /**
   * What the page needs to ask for a passkey, which it sends in the field `passkey` of the first form. Absent where forms take
   * no passkeys.
   */
  readonly passkeyOptions?: () => Promise<object>
  /** Absent where accounts cannot be logged in without an API key. */
  readonly choosePassword?: ChoosePassword
}

/**
 * Replaces the generated password of an account by a chosen one, and logs in with it. `passwordChanged` if the account has
 * another password by now.
 */
export type ChoosePassword = (
  account: FirstAccount,
  next: string,
  client: FormClient,
) => Promise<FirstUse<FormOutcome | 'passwordChanged'>>

/** The sender of a form. */
export interface FormClient {
  /** Network address. */
  readonly address: string
  /** Proofs that accounts have logged in with this browser before. */
  readonly browsers: readonly string[]
}

/**
 * The result of a form: an identity, with a proof for the browser to keep; what to keep for another form; or a sentence on
 * what is wrong.
 */
export type FormOutcome =
  | {
      readonly identity: Identity
      readonly browser?: string
      /** Recovery codes of a second factor that was set up with the login: to be shown once. */
      readonly recoveryCodes?: readonly string[]
    }
  | { readonly asks: Kept }
  | { readonly mistake: string }

/** One form of a login. */
export interface LoginForm {
  readonly title: string
  /** Absent if the fields say everything. */
  readonly text?: string
  readonly fields: readonly FormField[]
  /** A secret to enter into an authenticator app. */
  readonly setUp?: { readonly secret: string; readonly uri: string }
  /** Whether it follows another form, at which one can start again. */
  readonly isNext?: boolean
}

/** A field of a form. */
export interface FormField {
  readonly name: string
  readonly label: string
  /** `code`: digits that are good once. */
  readonly type: 'text' | 'password' | 'code'
  /** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
  readonly autocomplete: string
}

export type LoginStrategy = RedirectStrategy | FormStrategy
