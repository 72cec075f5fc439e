import type { Login } from '../session/session.ts'
import type { TokenGenerator } from '../token/token-generator.ts'
import type { LoginStrategy } from './login-strategy.ts'

/** A configured way to log in. */
export interface LoginProvider {
  /** Part of its paths: `/auth/<name>`. */
  readonly name: string
  /** Its name for people. */
  readonly label: string
  readonly strategyName: string
  readonly strategy: LoginStrategy
  /** Whether the web front adds tokens to calls of the backend, and hides them from the browser. */
  readonly transparentTokens: boolean
  readonly generator?: TokenGenerator
  /** Whether a logout revokes the provider's own tokens there. */
  readonly revokesTokens: boolean
}

/** Whether people log in there with accounts of the gateway, so that the token of their session is one of the gateway. */
export function hasGatewayAccounts({ strategyName, generator }: LoginProvider): boolean {
  return generator === undefined ? strategyName === 'gateway' : generator.forGatewayAccounts === true
}

/** Whether a login is over: its account at the gateway has expired, or its token, without a generator for another. */
export function isOver(login: Login, { generator }: LoginProvider, now: Date): boolean {
  const { gateway, credential } = login
  if (gateway?.expires !== undefined && new Date(gateway.expires) <= now) return true
  return generator === undefined && credential?.expires !== undefined && new Date(credential.expires) <= now
}
