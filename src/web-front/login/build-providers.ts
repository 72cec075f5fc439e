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
import { refreshTokenGenerator } from '../token/refresh-token-generator.ts'
import type { TokenGenerator } from '../token/token-generator.ts'
import { gatewayStrategy } from './gateway-strategy.ts'
import type { LoginProvider } from './login-provider.ts'
import type { LoginStrategy } from './login-strategy.ts'
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

/** The ways to log in, as they are configured. */
export function buildProviders(
  providers: readonly ProviderSettings[],
  gateway: GatewaySettings | undefined,
): readonly LoginProvider[] {
  const gatewayParts = buildGateway(gateway)
  return providers.map((settings) => {
    const { name, label, strategy, generator, transparentTokens } = settings
    const client = strategy.kind === 'gateway' ? undefined : new OauthClient(strategy.oauth)
    const parts = { ...gatewayParts, client }
    return {
      name,
      label,
      transparentTokens,
      strategyName: strategy.kind,
      strategy: buildStrategy(settings, parts),
      ...(generator === undefined ? {} : { generator: buildGenerator(generator, parts) }),
    }
  })
}

function buildGateway(settings: GatewaySettings | undefined): Pick<ProviderParts, 'gateway' | 'service'> {
  if (settings === undefined) return { gateway: undefined, service: undefined }
  const { address, credentials, roleOfNewAccounts } = settings
  const gateway = createGatewayClient(address)
  if (credentials === undefined) return { gateway, service: undefined }
  const known = { address, credentials, ...(roleOfNewAccounts === undefined ? {} : { roleOfNewAccounts }) }
  return { gateway, service: createGatewayService(known, gateway) }
}

function buildStrategy(
  { strategy, generator }: ProviderSettings,
  { gateway, client }: ProviderParts,
): LoginStrategy {
  if (strategy.kind === 'gateway') {
    invariant(gateway !== undefined, 'the strategy gateway has a gateway')
    return gatewayStrategy(gateway)
  }
  invariant(client !== undefined, `the strategy ${strategy.kind} has a client`)
  const settings = { ...strategy, usesAccessToken: generator?.kind === 'refresh_token' }
  return strategy.kind === 'openid' ? openidStrategy(client, settings) : oauth2Strategy(client, settings)
}

function buildGenerator(
  generator: GeneratorSettings,
  { gateway, service, client }: ProviderParts,
): TokenGenerator {
  switch (generator.kind) {
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
