import { invariant } from '../../errors/invariant.ts'
import { assertNever } from '../../util/assert-never.ts'
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayCredentials,
} from '../gateway/gateway-client.ts'
import { createGatewayService, type GatewayService } from '../gateway/gateway-service.ts'
import { OauthClient } from '../oauth/oauth-client.ts'
import { clientCredentialsGenerator } from '../token/client-credentials-generator.ts'
import { gatewayGenerator } from '../token/gateway-generator.ts'
import { type GeneratorModule, moduleGenerator } from '../token/module-generator.ts'
import { refreshTokenGenerator } from '../token/refresh-token-generator.ts'
import type { TokenGenerator } from '../token/token-generator.ts'
import { gatewayStrategy } from './gateway-strategy.ts'
import { loadModule } from './load-module.ts'
import type { LoginProvider } from './login-provider.ts'
import type { LoginStrategy } from './login-strategy.ts'
import { moduleStrategy, type StrategyModule } from './module-strategy.ts'
import { oauth2Strategy } from './oauth2-strategy.ts'
import { openidStrategy } from './openid-strategy.ts'
import type { GeneratorSettings, ProviderSettings } from './provider-settings.ts'

/** The gateway that accounts are at. */
export interface GatewaySettings {
  readonly address: string
  /** The web front's own account there. */
  readonly credentials?: GatewayCredentials
  readonly roleOfNewAccounts?: string
}

interface ProviderParts {
  readonly gateway: GatewayClient | undefined
  readonly service: GatewayService | undefined
  /** The client of this provider. */
  readonly client: OauthClient | undefined
}

/** The ways to log in, as they are configured. Throws MODULE_UNUSABLE. */
export function buildProviders(
  providers: readonly ProviderSettings[],
  gateway: GatewaySettings | undefined,
): Promise<readonly LoginProvider[]> {
  const gatewayParts = buildGateway(gateway)
  return Promise.all(
    providers.map(async (settings) => {
      const { name, label, strategy, generator, transparentTokens } = settings
      const parts = { ...gatewayParts, client: buildClient(settings) }
      return {
        name,
        label,
        transparentTokens,
        strategyName: strategy.kind,
        strategy: await buildStrategy(settings, parts),
        ...(generator === undefined ? {} : { generator: await buildGenerator(generator, parts) }),
      }
    }),
  )
}

function buildClient({ strategy }: ProviderSettings): OauthClient | undefined {
  return 'oauth' in strategy ? new OauthClient(strategy.oauth) : undefined
}

function buildGateway(settings: GatewaySettings | undefined): Pick<ProviderParts, 'gateway' | 'service'> {
  if (settings === undefined) return { gateway: undefined, service: undefined }
  const { address, credentials, roleOfNewAccounts } = settings
  const gateway = createGatewayClient(address)
  if (credentials === undefined) return { gateway, service: undefined }
  const known = { address, credentials, ...(roleOfNewAccounts === undefined ? {} : { roleOfNewAccounts }) }
  return { gateway, service: createGatewayService(known, gateway) }
}

async function buildStrategy(
  { name, strategy, generator }: ProviderSettings,
  { gateway, client }: ProviderParts,
): Promise<LoginStrategy> {
  if (strategy.kind === 'module') {
    return moduleStrategy(await loadModule<StrategyModule>(strategy.module, ['begin', 'complete']), name)
  }
  if (strategy.kind === 'gateway') {
    invariant(gateway !== undefined, 'the strategy gateway has a gateway')
    return gatewayStrategy(gateway)
  }
  invariant(client !== undefined, `the strategy ${strategy.kind} has a client`)
  const settings = { ...strategy, usesAccessToken: generator?.kind === 'refresh_token' }
  return strategy.kind === 'openid' ? openidStrategy(client, settings) : oauth2Strategy(client, settings)
}

async function buildGenerator(
  generator: GeneratorSettings,
  { gateway, service, client }: ProviderParts,
): Promise<TokenGenerator> {
  switch (generator.kind) {
    case 'module':
      return moduleGenerator(await loadModule<GeneratorModule>(generator.module, ['generate']))
    case 'gateway':
      invariant(gateway !== undefined && service !== undefined, 'the generator has an account at a gateway')
      return gatewayGenerator(service, gateway)
    case 'refresh_token':
      invariant(client !== undefined, 'the generator refresh_token has a client')
      return refreshTokenGenerator(client)
    case 'client_credentials':
      invariant(client !== undefined, 'the generator client_credentials has a client')
      return clientCredentialsGenerator(client, generator.scopes)
    default:
      return assertNever(generator)
  }
}
