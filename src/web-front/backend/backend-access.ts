/** Who may call the backend, and with which token. */
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import type { LoginProvider } from '../login/login-provider.ts'
import type { OriginReader } from '../same-origin.ts'
import { type CurrentSessions, type LoggedIn, loginRequired } from '../session/current-sessions.ts'
import type { Presence } from '../session/presence.ts'
import type { Credential } from '../session/session.ts'
import type { OpenSession, Sessions } from '../session/sessions.ts'
import { isRenewalDue, isUsable } from '../token/renewal-due.ts'
import type { Renewals } from '../token/renewals.ts'

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
  readonly takesOverTokens: boolean
  credential(): Credential | undefined
  /**
   * To be called when the backend responds with 401: whether to send the request again with a new token, if it may be
   * sent twice. Throws LOGIN_REQUIRED if the account is gone, and the session with it.
   */
  refused(answer: { readonly hasChallenge: boolean; readonly maySendAgain: boolean }): Promise<boolean>
  /** Whether the session of a stream has ended. */
  hasEnded(): Promise<boolean>
}

export interface BackendAccess {
  /** Throws CROSS_SITE_REFUSED, LOGIN_REQUIRED, or LOGIN_UNAVAILABLE if no token can be obtained. */
  admit(request: {
    readonly method: string
    readonly headers: IncomingHttpHeaders
    readonly isUpgrade: boolean
  }): Promise<AdmittedCall>
}

/** How long it is assumed that an account still exists, in milliseconds: for calls, and for open streams. */
const trustMs = 1000
const streamTrustMs = 5000
/** How long tokens are not renewed for a backend that refused a new token too, in milliseconds. */
const timeoutMs = 60_000

/** The access to a backend. */
export function createBackendAccess(parts: BackendAccessParts): BackendAccess {
  const { currentSessions, sessions, renewals, presence, providers, originOf, now } = parts
  const inVain = new GenerationalCache<string, number>(10_000)

  /** A token that ends soon is renewed; if that fails, it is used as long as it lasts. */
  async function withLastingToken({ session, login, provider }: LoggedIn): Promise<OpenSession> {
    const { credential, credentialSince: since } = login
    const timestamp = now().getTime()
    if (provider.generator === undefined) return session
    if (credential !== undefined && !isRenewalDue({ ...credential, since }, timestamp)) return session
    try {
      const renewed = await renewals.renew(session)
      if (renewed === undefined) throw loginRequired(providers)
      return renewed
    } catch (error) {
      const mayWait = error instanceof AppError && error.code !== 'LOGIN_REQUIRED'
      if (mayWait && credential !== undefined && isUsable(credential, timestamp)) return session
      throw error
    }
  }

  return {
    async admit({ method, headers, isUpgrade }) {
      if (!isFromOurselves(method, headers, isUpgrade, originOf)) {
        throw new AppError('CROSS_SITE_REFUSED', {
          detail:
            'A WebSocket, and a call that changes something, must come from a page of this origin, as browsers say in Sec-Fetch-Site or Origin, or have the header X-Requested-With.',
        })
      }
      if (providers.length === 0) return anonymousCall
      const caller = await presence.confirm(
        currentSessions.loginOf(await currentSessions.sessionOf(headers.cookie)),
        trustMs,
      )
      if (caller === undefined) throw loginRequired(providers)
      const takesOverTokens = caller.provider.transparentTokens
      let session = takesOverTokens ? await withLastingToken(caller) : caller.session
      return {
        caller,
        takesOverTokens,
        credential: () => session.content.login?.credential,
        async hasEnded() {
          const current = currentSessions.loginOf(await sessions.reload(caller.session))
          return (await presence.confirm(current, streamTrustMs)) === undefined
        },
        async refused({ hasChallenge, maySendAgain }) {
          const { generator } = caller.provider
          const mayRenew = maySendAgain && takesOverTokens && generator !== undefined
          // Getting a new token of the gateway already shows whether the account exists.
          if (!mayRenew || generator.forGatewayAccounts !== true) {
            const present = await presence.confirm(caller, hasChallenge ? 0 : trustMs)
            if (present === undefined) throw loginRequired(providers)
          }
          if (!mayRenew) return false
          const timestamp = now().getTime()
          if (!hasChallenge && (inVain.get(session.id) ?? 0) > timestamp) return false
          // Not every backend says why: if it also refuses the new token, the token was not the reason.
          if (!hasChallenge) inVain.set(session.id, timestamp + timeoutMs)
          const renewed = await renewals.renew(session).catch(() => session)
          if (renewed === undefined) throw loginRequired(providers)
          const isNew = renewed !== session
          session = renewed
          return isNew
        },
      }
    },
  }
}

const anonymousCall: AdmittedCall = {
  caller: undefined,
  takesOverTokens: false,
  credential: () => undefined,
  refused: async () => false,
  hasEnded: async () => false,
}

/** https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html */
function isFromOurselves(
  method: string,
  headers: IncomingHttpHeaders,
  isUpgrade: boolean,
  originOf: OriginReader,
): boolean {
  const origin = originOf(headers)
  if (!isUpgrade && (method === 'GET' || method === 'HEAD')) {
    return origin !== 'foreign' || headers['sec-fetch-mode'] === 'navigate'
  }
  if (!isUpgrade && method === 'OPTIONS') return origin !== 'foreign'
  // No page can add a header to a WebSocket.
  return origin === 'own' || (origin === 'unknown' && headers['x-requested-with'] !== undefined)
}
