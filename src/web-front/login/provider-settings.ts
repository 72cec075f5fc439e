import type { ClaimRules } from '../../util/claim-rules.ts'
import type { ClaimMapping } from '../oauth/claims.ts'
import type { OauthSettings } from '../oauth/oauth-settings.ts'
import type { ModuleSettings } from './load-module.ts'

/** The configuration of one way to log in. */
export interface ProviderSettings {
  readonly name: string
  readonly label: string
  readonly strategy: StrategySettings
  readonly transparentTokens: boolean
  readonly generator?: GeneratorSettings
}

export type StrategySettings =
  | { readonly kind: 'gateway' }
  | { readonly kind: 'module'; readonly module: ModuleSettings }
  | {
      readonly kind: 'openid' | 'oauth2'
      readonly oauth: OauthSettings
      readonly mapping: ClaimMapping
      /** Who may log in, with which roles and metadata; by default everyone, and claims give none. */
      readonly rules?: ClaimRules
      /** Whether a logout ends the session at the provider as well. */
      readonly endsProviderSession: boolean
      /** Whether the provider then gets the ID token; the browser sees it too. */
      readonly showsIdToken?: boolean
    }

export type GeneratorSettings =
  | { readonly kind: 'gateway' | 'refresh_token' }
  | { readonly kind: 'module'; readonly module: ModuleSettings }
  | { readonly kind: 'client_credentials'; readonly scopes: readonly string[] }
