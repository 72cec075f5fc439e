import type { Clock } from '../../util/clock.ts'
import type { Login } from '../session/session.ts'
import { accountGroup } from '../session/session-lists.ts'
import type { OpenSession, Sessions } from '../session/sessions.ts'
import { tokensGone, withToken } from '../token/token-generator.ts'
import type { LoginProvider } from './login-provider.ts'
import type { Identity } from './login-strategy.ts'

export interface LogInParts {
  readonly sessions: Sessions
  readonly now: Clock
}

/** Starts the session of an authenticated person, with a token for the backend if possible. Ends the previous session. */
export async function logIn(
  identity: Identity,
  provider: LoginProvider,
  previous: OpenSession | undefined,
  { sessions, now }: LogInParts,
): Promise<{ readonly session: OpenSession; readonly setCookie: string }> {
  const { groups, grants = {}, ...known } = identity
  const { generator, strategy } = provider
  const claimsRole = strategy.kind === 'redirect' && identity.account.account_role !== undefined
  const login: Login = {
    provider: provider.name,
    strategy: provider.strategyName,
    renewals: 0,
    credentialSince: now().getTime(),
    ...(claimsRole ? { claimsRole } : {}),
    ...known,
  }
  // A login creates the account even if it has another token; a renewal never does.
  const needsToken =
    login.credential === undefined || (strategy.kind === 'redirect' && generator?.forGatewayAccounts === true)
  const withFirstToken =
    generator === undefined || !needsToken ? login : withToken(login, await generator.generate(login, grants))
  const page = previous?.content.page ?? { query: {}, params: {} }
  return sessions.start({ page, login: withFirstToken }, [accountGroup(login), ...groups], previous)
}

/** Gives up the tokens of a login that has ended; those of its provider only if that is configured. If a service cannot be reached, they stay valid until they expire. */
export async function giveUpTokens(
  login: Login,
  { strategy, generator, revokesTokens }: LoginProvider,
): Promise<void> {
  const { providerTokens } = login
  const revoke = generator?.revoke ?? (strategy.kind === 'form' ? strategy.revoke : undefined)
  await Promise.allSettled([
    ...tokensGone(login, undefined).map((token) => revoke?.(token)),
    providerTokens === undefined || strategy.kind === 'form' || !revokesTokens
      ? undefined
      : strategy.revoke?.(providerTokens),
  ])
}
