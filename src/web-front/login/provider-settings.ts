import type { ClaimMapping } from '../oauth/claims.ts'
import type { OauthSettings } from '../oauth/oauth-settings.ts'
import type { ModuleSettings } from './load-module.ts'

/** How one way to log in is configured. */
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
      /** Whether a log-out ends the session at the provider as well. */
      readonly endsProviderSession: boolean
      /** Whether the provider sees the ID token again then; the browser does, too. */
      readonly showsIdToken?: boolean
    }

export type GeneratorSettings =
  | { readonly kind: 'gateway' | 'refresh_token' }
  | { readonly kind: 'module'; readonly module: ModuleSettings }
  | { readonly kind: 'client_credentials'; readonly scopes: readonly string[] }
