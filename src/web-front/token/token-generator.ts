import type { Credential, GatewayAccount, Login, ProviderTokens } from '../session/session.ts'

/** The tokens of a log-in that another log-in no longer has. */
export function tokensGone(before: Login, after: Login | undefined): readonly string[] {
  const kept = [...(after?.earlierTokens ?? []), after?.credential?.accessToken]
  const all = [...(before.earlierTokens ?? []), ...(before.credential ? [before.credential.accessToken] : [])]
  return all.filter((token) => !kept.includes(token))
}

/** When a token is made: while somebody logs in, or for a session that is open. */
export type TokenOccasion = 'login' | 'renewal'

/** Makes access tokens for the backend. */
export interface TokenGenerator {
  /**
   * A new token for somebody who is logged in. Throws LOGIN_REFUSED when there will be none any more, and
   * LOGIN_UNAVAILABLE when whoever makes them does not answer.
   */
  generate(login: Login, occasion: TokenOccasion): Promise<GeneratedToken>
  /** Whether they are tokens of the gateway for an account there; a log-in may make the account. */
  readonly forGatewayAccounts?: boolean
  /** Ends a token that is not needed any more. */
  revoke?(accessToken: string): Promise<void>
}

/** A token for the backend, and what was learnt with it. */
export interface GeneratedToken {
  readonly credential: Credential
  readonly gateway?: GatewayAccount
  readonly accountRole?: string
  readonly providerTokens?: ProviderTokens
}

/** How many tokens of a session may be good at the same time: another tab may still use the one before. */
const tokensKept = 10

/** A log-in with a new token. The one before stays good for a while. */
export function withToken(login: Login, token: GeneratedToken): Login {
  const { credential, gateway, accountRole, providerTokens } = token
  const before = login.credential === undefined ? [] : [login.credential.accessToken]
  const earlierTokens = [...(login.earlierTokens ?? []), ...before]
  return {
    ...login,
    credential,
    earlierTokens: earlierTokens.slice(-tokensKept),
    renewals: login.renewals + 1,
    account: accountRole === undefined ? login.account : { ...login.account, account_role: accountRole },
    ...(gateway === undefined ? {} : { gateway }),
    ...(providerTokens === undefined ? {} : { providerTokens }),
  }
}
