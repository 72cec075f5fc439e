import type { Clock } from '../../util/clock.ts'
import type { Login } from '../session/session.ts'
import { accountGroup, type OpenSession, type Sessions } from '../session/sessions.ts'
import { tokensGone, withToken } from '../token/token-generator.ts'
import type { LoginProvider } from './login-provider.ts'
import type { Identity } from './login-strategy.ts'

export interface LogInParts {
  readonly sessions: Sessions
  readonly now: Clock
}

/**
 * Begins the session of somebody whom a provider vouches for, with a token for the backend where one is to be
 * had. The session there was before ends.
 */
export async function logIn(
  identity: Identity,
  provider: LoginProvider,
  previous: OpenSession | undefined,
  { sessions }: LogInParts,
): Promise<{ readonly session: OpenSession; readonly setCookie: string }> {
  const { groups, ...known } = identity
  const login: Login = { provider: provider.name, strategy: provider.strategyName, renewals: 0, ...known }
  const { generator, strategy } = provider
  // A log-in by somebody else's token makes the account all the same: a renewal never does.
  const needsToken =
    login.credential === undefined || (strategy.kind === 'redirect' && generator?.forGatewayAccounts === true)
  const withFirstToken =
    generator === undefined || !needsToken
      ? login
      : withToken(login, await generator.generate(login, 'login'))
  const page = previous?.content.page ?? { query: {}, params: {} }
  return sessions.start({ page, login: withFirstToken }, [accountGroup(login), ...groups], previous)
}

/** Gives up the tokens of a log-in that has ended. What cannot be reached keeps them until their end. */
export async function giveUpTokens(login: Login, { strategy, generator }: LoginProvider): Promise<void> {
  const { providerTokens } = login
  const revoke = generator?.revoke ?? (strategy.kind === 'form' ? strategy.revoke : undefined)
  await Promise.allSettled([
    ...tokensGone(login, undefined).map((token) => revoke?.(token)),
    providerTokens === undefined || strategy.kind === 'form' ? undefined : strategy.revoke?.(providerTokens),
  ])
}
