import type { Login } from '../session/session.ts'
import type { TokenGenerator } from '../token/token-generator.ts'
import type { LoginStrategy } from './login-strategy.ts'

/** One way to log in, as it is configured. */
export interface LoginProvider {
  /** Part of its paths: `/auth/<name>`. */
  readonly name: string
  /** What people call it. */
  readonly label: string
  readonly strategyName: string
  readonly strategy: LoginStrategy
  /** Whether tokens are put into calls of the backend here, and kept from the browser. */
  readonly transparentTokens: boolean
  readonly generator?: TokenGenerator
}

/** Whether a log-in is over: its account at the gateway has ended, or its token, and nobody makes another. */
export function isOver(login: Login, { generator }: LoginProvider, now: Date): boolean {
  const { gateway, credential } = login
  if (gateway?.expires !== undefined && new Date(gateway.expires) <= now) return true
  return generator === undefined && credential?.expires !== undefined && new Date(credential.expires) <= now
}
