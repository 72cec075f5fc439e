import type { AccountGrants } from '../../util/claim-rules.ts'
import type { Credential, GatewayAccount, Login, ProviderTokens } from '../session/session.ts'

/** The tokens of a login that its successor no longer has. */
export function tokensGone(before: Login, after: Login | undefined): readonly string[] {
  const kept = [...(after?.earlierTokens ?? []), after?.credential?.accessToken]
  const all = [...(before.earlierTokens ?? []), ...(before.credential ? [before.credential.accessToken] : [])]
  return all.filter((token) => !kept.includes(token))
}

/** Makes access tokens for the backend. */
export interface TokenGenerator {
  /**
   * A new token for a logged-in user; `grants` are there at a login, and absent for an open session. Throws LOGIN_REFUSED if there will be no more, and LOGIN_UNAVAILABLE if the token
   * provider does not respond.
   */
  generate(login: Login, grants?: AccountGrants): Promise<GeneratedToken>
  /** Whether they are tokens of the gateway for an account there; a login may create the account. */
  readonly forGatewayAccounts?: boolean
  /** Ends a token that is no longer needed. */
  revoke?(accessToken: string): Promise<void>
}

/** A token for the backend, with data that came with it. */
export interface GeneratedToken {
  readonly credential: Credential
  readonly gateway?: GatewayAccount
  readonly accountRole?: string
  readonly providerTokens?: ProviderTokens
}

/** How many tokens of a session may be valid at the same time: another tab may still use the previous one. */
const tokensKept = 10

/** A login with a new token. The previous one stays valid for a while. */
export function withToken(login: Login, token: GeneratedToken): Login {
  const { credential, gateway, accountRole, providerTokens } = token
  const before = login.credential === undefined ? [] : [login.credential.accessToken]
  const earlierTokens = [...(login.earlierTokens ?? []), ...before]
  return {
    ...login,
    credential,
    earlierTokens: earlierTokens.slice(-tokensKept),
    renewals: login.renewals + 1,
    account:
      accountRole === undefined || login.claimsRole
        ? login.account
        : { ...login.account, account_role: accountRole },
    ...(gateway === undefined ? {} : { gateway }),
    ...(providerTokens === undefined ? {} : { providerTokens }),
  }
}
