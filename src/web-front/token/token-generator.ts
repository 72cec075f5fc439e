import type { Credential, GatewayAccount, Login, ProviderTokens } from '../session/session.ts'

/** Makes access tokens for the backend. */
export interface TokenGenerator {
  /**
   * A new token for somebody who is logged in. Throws LOGIN_REFUSED when there will be none any more, and
   * LOGIN_UNAVAILABLE when whoever makes them does not answer.
   */
  generate(login: Login): Promise<GeneratedToken>
  /** Ends a token that is not needed any more. */
  revoke?(credential: Credential): Promise<void>
}

/** A token for the backend, and what was learnt with it. */
export interface GeneratedToken {
  readonly credential: Credential
  readonly gateway?: GatewayAccount
  readonly accountRole?: string
  readonly providerTokens?: ProviderTokens
}

/** A log-in with a new token. */
export function withToken(login: Login, token: GeneratedToken): Login {
  const { credential, gateway, accountRole, providerTokens } = token
  return {
    ...login,
    credential,
    renewals: login.renewals + 1,
    account: accountRole === undefined ? login.account : { ...login.account, account_role: accountRole },
    ...(gateway === undefined ? {} : { gateway }),
    ...(providerTokens === undefined ? {} : { providerTokens }),
  }
}
