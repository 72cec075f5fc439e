import { invariant } from '../../errors/invariant.ts'
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayCredentials,
} from '../gateway/gateway-client.ts'
import { createGatewayService, type GatewayService } from '../gateway/gateway-service.ts'
import { gatewayGenerator } from '../token/gateway-generator.ts'
import type { TokenGenerator } from '../token/token-generator.ts'
import { gatewayStrategy } from './gateway-strategy.ts'
import type { LoginProvider } from './login-provider.ts'
import type { LoginStrategy } from './login-strategy.ts'
import type { GeneratorSettings, ProviderSettings, StrategySettings } from './provider-settings.ts'

/** The gateway that accounts are at. */
export interface GatewaySettings {
  readonly address: string
  /** The web front's own account there. */
  readonly credentials?: GatewayCredentials
  readonly roleOfNewAccounts?: string
}

interface GatewayParts {
  readonly client: GatewayClient
  readonly service: GatewayService | undefined
}

/** The ways to log in, as they are configured. */
export function buildProviders(
  providers: readonly ProviderSettings[],
  gateway: GatewaySettings | undefined,
): readonly LoginProvider[] {
  const parts = gateway === undefined ? undefined : gatewayParts(gateway)
  return providers.map(({ strategy, generator, ...settings }) => ({
    ...settings,
    strategyName: strategy.kind,
    strategy: buildStrategy(strategy, parts),
    ...(generator === undefined ? {} : { generator: buildGenerator(generator, parts) }),
  }))
}

function gatewayParts({ address, credentials, roleOfNewAccounts }: GatewaySettings): GatewayParts {
  const client = createGatewayClient(address)
  if (credentials === undefined) return { client, service: undefined }
  const settings = { address, credentials, ...(roleOfNewAccounts === undefined ? {} : { roleOfNewAccounts }) }
  return { client, service: createGatewayService(settings, client) }
}

function buildStrategy({ kind }: StrategySettings, gateway: GatewayParts | undefined): LoginStrategy {
  invariant(gateway !== undefined, `the strategy ${kind} has a gateway`)
  return gatewayStrategy(gateway.client)
}

function buildGenerator({ kind }: GeneratorSettings, gateway: GatewayParts | undefined): TokenGenerator {
  invariant(gateway?.service !== undefined, `the generator ${kind} has an account at a gateway`)
  return gatewayGenerator(gateway.service, gateway.client)
}
