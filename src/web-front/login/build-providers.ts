import { invariant } from '../../errors/invariant.ts'
import { assertNever } from '../../util/assert-never.ts'
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayCredentials,
} from '../gateway/gateway-client.ts'
import { createGatewayService, type GatewayService } from '../gateway/gateway-service.ts'
import { workOfClaims } from '../gateway/own-account-calls.ts'
import type { OauthClient } from '../oauth/oauth-client.ts'
import { gatewayGenerator } from '../token/gateway-generator.ts'
import { type GeneratorModule, moduleGenerator } from '../token/module-generator.ts'
import type { TokenGenerator } from '../token/token-generator.ts'
import { gatewayStrategy } from './gateway-strategy.ts'
import { loadModule } from './load-module.ts'
import type { LoginProvider } from './login-provider.ts'
import type { LoginStrategy } from './login-strategy.ts'
import { moduleStrategy, type StrategyModule } from './module-strategy.ts'
import type { GeneratorSettings, ProviderSettings } from './provider-settings.ts'

/** The gateway of the accounts. */
export interface GatewaySettings {
  readonly address: string
  /** Those of the web front's own account there. */
  readonly credentials?: () => Promise<GatewayCredentials>
  readonly roleOfNewAccounts?: string
}

/** The parts that reach the gateway. */
export interface GatewayParts {
  readonly gateway: GatewayClient | undefined
  /** Undefined if the web front has no own account. */
  readonly service: GatewayService | undefined
}

interface ProviderParts extends GatewayParts {
  /** The client of this provider. */
  readonly client: OauthClient | undefined
}

/** The configured ways to log in. Throws MODULE_UNUSABLE. */
export function buildProviders(
  providers: readonly ProviderSettings[],
  gatewayParts: GatewayParts,
  revokesTokens: boolean,
): Promise<readonly LoginProvider[]> {
  return Promise.all(
    providers.map(async (settings) => {
      const { name, label, strategy, generator, transparentTokens } = settings
      const parts = { ...gatewayParts, client: await buildClient(settings) }
      return {
        name,
        label,
        transparentTokens,
        revokesTokens,
        strategyName: strategy.kind,
        strategy: await buildStrategy(settings, parts),
        ...(generator === undefined ? {} : { generator: await buildGenerator(generator, parts) }),
      }
    }),
  )
}

/** Its library is loaded only if needed: it is half of the web front. */
async function buildClient({ strategy }: ProviderSettings): Promise<OauthClient | undefined> {
  if (!('oauth' in strategy)) return undefined
  const { OauthClient } = await import('../oauth/oauth-client.ts')
  return new OauthClient(strategy.oauth)
}

/** The parts that reach the gateway, for those ways to log in. */
export function buildGateway(
  settings: GatewaySettings | undefined,
  providers: readonly ProviderSettings[],
): GatewayParts {
  if (settings === undefined) return { gateway: undefined, service: undefined }
  const { address, credentials, roleOfNewAccounts } = settings
  const gateway = createGatewayClient(address)
  if (credentials === undefined) return { gateway, service: undefined }
  const known = {
    address,
    credentials,
    checksLogons: providers.some(({ strategy }) => strategy.kind === 'gateway'),
    makesTokens: providers.some(({ generator }) => generator?.kind === 'gateway'),
    ...workOfClaims(providers),
    ...(roleOfNewAccounts === undefined ? {} : { roleOfNewAccounts }),
  }
  return { gateway, service: createGatewayService(known, gateway) }
}

async function buildStrategy(
  { name, strategy, generator }: ProviderSettings,
  { gateway, service, client }: ProviderParts,
): Promise<LoginStrategy> {
  if (strategy.kind === 'module') {
    return moduleStrategy(await loadModule<StrategyModule>(strategy.module, ['begin', 'complete']), name)
  }
  if (strategy.kind === 'gateway') {
    invariant(gateway !== undefined, 'the strategy gateway has a gateway')
    return gatewayStrategy(gateway, service)
  }
  invariant(client !== undefined, `the strategy ${strategy.kind} has a client`)
  const settings = {
    ...strategy,
    rules: strategy.rules ?? {},
    usesAccessToken: generator?.kind === 'refresh_token',
  }
  if (strategy.kind === 'openid') {
    const { openidStrategy } = await import('./openid-strategy.ts')
    return openidStrategy(client, settings)
  }
  const { oauth2Strategy } = await import('./oauth2-strategy.ts')
  return oauth2Strategy(client, settings)
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
    case 'refresh_token': {
      invariant(client !== undefined, 'the generator refresh_token has a client')
      const { refreshTokenGenerator } = await import('../token/refresh-token-generator.ts')
      return refreshTokenGenerator(client)
    }
    case 'client_credentials': {
      invariant(client !== undefined, 'the generator client_credentials has a client')
      const { clientCredentialsGenerator } = await import('../token/client-credentials-generator.ts')
      return clientCredentialsGenerator(client, generator.scopes)
    }
    default:
      return assertNever(generator)
  }
}
