/** Who may call the backend, and with which token. */
import { AppError } from '../../errors/app-error.ts'
import { type ArrivedCall, type OriginReader, requireOwnPage } from '../../http/same-origin.ts'
import type { Clock } from '../../util/clock.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import { hasGatewayAccounts, type LoginProvider } from '../login/login-provider.ts'
import { type CurrentSessions, type LoggedIn, loginRequired } from '../session/current-sessions.ts'
import type { Presence } from '../session/presence.ts'
import type { Credential } from '../session/session.ts'
import type { OpenSession, Sessions } from '../session/sessions.ts'
import type { ClientTokens } from '../token/client-tokens.ts'
import { isRenewalDue, isUsable } from '../token/renewal-due.ts'
import type { Renewals } from '../token/renewals.ts'
import type { ForwardedCall } from './backend-headers.ts'

export interface BackendAccessParts {
  readonly currentSessions: CurrentSessions
  readonly sessions: Pick<Sessions, 'reload'>
  readonly renewals: Renewals
  readonly presence: Presence
  readonly providers: readonly LoginProvider[]
  readonly originOf: OriginReader
  readonly now: Clock
}

/** A call that may go to the backend. */
export interface AdmittedCall {
  /** Undefined if no one has to log in. */
  readonly caller: LoggedIn | undefined
  readonly browserTokens: ForwardedCall['browserTokens']
  /** The token to add; undefined for none. */
  credential(): Credential | undefined
  /**
   * To be called when the backend responds with 401: whether to send the request again with a new token, if it may be
   * sent twice. Throws LOGIN_REQUIRED if the account is gone, and the session with it.
   */
  refused(answer: { readonly hasChallenge: boolean; readonly maySendAgain: boolean }): Promise<boolean>
  /** Whether the session of a stream has ended. */
  hasEnded(): Promise<boolean>
}

/** Where the token of a backend's calls comes from. */
export type TokenSource =
  | { readonly kind: 'user' | 'none' | 'gateway' }
  | { readonly kind: 'client'; readonly tokens: ClientTokens }

export interface BackendAccess {
  /** Throws CROSS_SITE_REFUSED, LOGIN_REQUIRED, or LOGIN_UNAVAILABLE if no token can be obtained. */
  admit(call: ArrivedCall, source: TokenSource): Promise<AdmittedCall>
}

/** How long it is assumed that an account still exists, in milliseconds: for calls, and for open streams. */
const trustMs = 1000
const streamTrustMs = 5000
/** How long tokens are not renewed for a backend that refused a new token too, in milliseconds. */
const timeoutMs = 60_000

/** The access to backends. */
export function createBackendAccess(parts: BackendAccessParts): BackendAccess {
  const { currentSessions, sessions, renewals, presence, providers, originOf, now } = parts
  const gatewayProviders = providers.filter(hasGatewayAccounts)
  const inVain = new GenerationalCache<string, number>(10_000)

  /** A token that ends soon is renewed; if that fails, it is used as long as it lasts. */
  async function withLastingToken(caller: LoggedIn, ways: Ways): Promise<OpenSession> {
    const { session, login, provider } = caller
    const { credential, credentialSince: since } = login
    const timestamp = now().getTime()
    if (provider.generator === undefined) return session
    if (credential !== undefined && !isRenewalDue({ ...credential, since }, timestamp)) return session
    try {
      const renewed = await renewals.renew(session)
      if (renewed === undefined) throw loginRequired(ways)
      return renewed
    } catch (error) {
      const mayWait = error instanceof AppError && error.code !== 'LOGIN_REQUIRED'
      if (mayWait && credential !== undefined && isUsable(credential, timestamp)) return session
      throw error
    }
  }

  /** The tokens of a logged-in user, if the web front adds them. */
  async function userTokens(caller: LoggedIn, addsTokens: boolean, ways: Ways): Promise<CallTokens> {
    let session = addsTokens ? await withLastingToken(caller, ways) : caller.session
    return {
      browserTokens: addsTokens ? 'dropped' : 'kept',
      credential: () => (addsTokens ? session.content.login?.credential : undefined),
      async refused({ hasChallenge, maySendAgain }) {
        const { generator } = caller.provider
        const mayRenew = maySendAgain && addsTokens && generator !== undefined
        // Getting a new token of the gateway already shows whether the account exists.
        if (!mayRenew || generator.forGatewayAccounts !== true) {
          const present = await presence.confirm(caller, hasChallenge ? 0 : trustMs)
          if (present === undefined) throw loginRequired(ways)
        }
        if (!mayRenew) return false
        const timestamp = now().getTime()
        if (!hasChallenge && (inVain.get(session.id) ?? 0) > timestamp) return false
        // Not every backend says why: if it also refuses the new token, the token was not the reason.
        if (!hasChallenge) inVain.set(session.id, timestamp + timeoutMs)
        const renewed = await renewals.renew(session).catch(() => session)
        if (renewed === undefined) throw loginRequired(ways)
        const isNew = renewed !== session
        session = renewed
        return isNew
      },
    }
  }

  async function tokensFor(caller: LoggedIn | undefined, source: TokenSource): Promise<CallTokens> {
    if (source.kind === 'client') return clientTokens(source.tokens)
    if (source.kind === 'none') return noTokens
    if (caller === undefined) return browsersTokens
    const addsTokens = source.kind === 'gateway' || caller.provider.transparentTokens
    return userTokens(caller, addsTokens, waysTo(source))
  }

  /** The ways to log in for calls with such tokens. */
  const waysTo = ({ kind }: TokenSource): Ways => (kind === 'gateway' ? gatewayProviders : providers)

  async function callerOf(cookieHeader: string | undefined, ways: Ways): Promise<LoggedIn | undefined> {
    if (providers.length === 0) return undefined
    const session = await currentSessions.sessionOf(cookieHeader)
    const caller = await presence.confirm(currentSessions.loginOf(session), trustMs)
    if (caller === undefined || !ways.includes(caller.provider)) throw loginRequired(ways)
    return caller
  }

  return {
    async admit(call, source) {
      requireOwnPage(call, originOf)
      const caller = await callerOf(call.headers.cookie, waysTo(source))
      return {
        caller,
        ...(await tokensFor(caller, source)),
        async hasEnded() {
          if (caller === undefined) return false
          const current = currentSessions.loginOf(await sessions.reload(caller.session))
          return (await presence.confirm(current, streamTrustMs)) === undefined
        },
      }
    },
  }
}

type Ways = readonly LoginProvider[]

type CallTokens = Pick<AdmittedCall, 'browserTokens' | 'credential' | 'refused'>

const browsersTokens: CallTokens = {
  browserTokens: 'kept',
  credential: () => undefined,
  refused: async () => false,
}

const noTokens: CallTokens = { ...browsersTokens, browserTokens: 'others' }

async function clientTokens(tokens: ClientTokens): Promise<CallTokens> {
  let credential = await tokens.current()
  return {
    browserTokens: 'dropped',
    credential: () => credential,
    async refused({ maySendAgain }) {
      if (!maySendAgain) return false
      const before = credential
      credential = await tokens.after(before)
      return credential.accessToken !== before.accessToken
    },
  }
}
