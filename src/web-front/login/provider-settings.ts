/** How one way to log in is configured. */
export interface ProviderSettings {
  readonly name: string
  readonly label: string
  readonly strategy: StrategySettings
  readonly transparentTokens: boolean
  readonly generator?: GeneratorSettings
}

export type StrategySettings = { readonly kind: 'gateway' }

export type GeneratorSettings = { readonly kind: 'gateway' }
