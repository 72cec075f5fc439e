import { type LoginConfig, loginNameOf } from '../config/login-options.ts'
import type { GatewaySettings } from '../web-front/login/build-providers.ts'
import type {
  GeneratorSettings,
  ProviderSettings,
  StrategySettings,
} from '../web-front/login/provider-settings.ts'
import type { OauthServer } from '../web-front/oauth/oauth-settings.ts'
import {
  issuerOfTenant,
  mistakesOfPreset,
  type ProviderPreset,
  presetOf,
  usualClaims,
} from './provider-presets.ts'

/** One way to log in, and what is wrong with its options. */
export interface LoginReading {
  readonly settings: ProviderSettings
  readonly mistakes: readonly string[]
}

/** How to log in, from one entry of the configuration. */
export function readLogin(config: LoginConfig, gateway: GatewaySettings | undefined): LoginReading {
  const { transparentTokens } = config
  const name = loginNameOf(config)
  const generator = generatorSettings(config)
  const settings: ProviderSettings = {
    name,
    label: config.label ?? name,
    strategy: strategySettings(config, name),
    transparentTokens,
    ...(generator === undefined ? {} : { generator }),
  }
  const mistakes = [...mistakesOfStrategy(config), ...mistakesOfGateway(config, gateway)]
  return { settings, mistakes: mistakes.map((line) => `authentication ${name}: ${line}`) }
}

function generatorSettings({ generator, tokenScope, settings }: LoginConfig): GeneratorSettings | undefined {
  switch (generator) {
    case undefined:
      return undefined
    case 'gateway':
    case 'refresh_token':
      return { kind: generator }
    case 'client_credentials':
      return { kind: generator, scopes: tokenScope }
    default:
      return { kind: 'module', module: { path: generator, settings } }
  }
}

function strategySettings(config: LoginConfig, name: string): StrategySettings {
  const { strategy, clientSecret, accountRole, username } = config
  if (strategy === 'gateway') return { kind: 'gateway' }
  if (strategy !== 'openid' && strategy !== 'oauth2') {
    return { kind: 'module', module: { path: strategy, settings: config.settings } }
  }
  const preset = presetOf(config)
  return {
    kind: strategy,
    oauth: {
      provider: name,
      server: serverOf(config),
      clientId: config.clientId ?? '',
      ...optional('clientSecret', clientSecret),
      ...optional('clientKey', config.clientKey),
      ...(config.clientAuthentication === undefined
        ? {}
        : { clientAuthentication: config.clientAuthentication }),
      scopes: scopesOf(config, preset),
      parameters: {
        ...(config.generator === 'refresh_token' ? preset?.forRefresh?.parameters : {}),
        ...config.parameters,
      },
    },
    mapping: {
      accountId: config.accountId ?? preset?.mapping?.accountId ?? 'sub',
      displayName: config.displayName,
      avatar: config.avatar ?? preset?.mapping?.avatar ?? 'picture',
      properties: config.properties ?? preset?.mapping?.properties ?? usualClaims,
      ...(accountRole === undefined ? {} : { accountRole }),
      ...(username === undefined ? {} : { username }),
    },
    rules: {
      ...(config.allow === undefined ? {} : { allow: config.allow }),
      ...(config.roles === undefined ? {} : { roles: config.roles }),
      ...(config.metadata === undefined ? {} : { metadata: config.metadata }),
    },
    endsProviderSession: config.endSession !== 'false',
    showsIdToken: config.endSession === 'with_id_token',
  }
}

function scopesOf({ scope, generator }: LoginConfig, preset: ProviderPreset | undefined): readonly string[] {
  if (scope !== undefined) return scope
  const more = generator === 'refresh_token' ? preset?.forRefresh?.scopes : undefined
  return [...(preset?.scopes ?? ['openid', 'profile', 'email']), ...(more ?? [])]
}

function serverOf(config: LoginConfig): OauthServer {
  const { strategy, authorizationEndpoint, tokenEndpoint, userinfoEndpoint, revocationEndpoint } = config
  const server = presetOf(config)?.server
  if (strategy === 'openid') return { kind: 'discovered', issuer: issuerOf(config) ?? '' }
  const known = server?.kind === 'given' ? server : undefined
  return {
    kind: 'given',
    authorizationEndpoint: authorizationEndpoint ?? known?.authorizationEndpoint ?? '',
    tokenEndpoint: tokenEndpoint ?? known?.tokenEndpoint ?? '',
    ...optional('userinfoEndpoint', userinfoEndpoint ?? known?.userinfoEndpoint),
    ...optional('emailsEndpoint', config.emailsEndpoint ?? known?.emailsEndpoint),
    ...optional('revocationEndpoint', revocationEndpoint ?? known?.revocationEndpoint),
    ...optional('issuer', config.issuer),
  }
}

function issuerOf(config: LoginConfig): string | undefined {
  const server = presetOf(config)?.server
  return (
    config.issuer ?? issuerOfTenant(config) ?? (server?.kind === 'discovered' ? server.issuer : undefined)
  )
}

function optional<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: string })
}

const endpoints = ['authorizationEndpoint', 'tokenEndpoint', 'userinfoEndpoint'] as const

function mistakesOfStrategy(config: LoginConfig): readonly string[] {
  const { strategy, generator, preset } = config
  if (strategy !== 'openid' && strategy !== 'oauth2') {
    return generator === 'refresh_token' || generator === 'client_credentials'
      ? [`the generator “${generator}” needs the strategy “openid” or “oauth2”`]
      : []
  }
  const presetMistakes = mistakesOfPreset(config)
  if (presetMistakes.length > 0) return presetMistakes
  const needed = [
    ...(strategy === 'openid' && issuerOf(config) === undefined ? ['issuer' as const] : []),
    ...(strategy === 'oauth2' && preset === undefined ? endpoints : []),
    'clientId' as const,
  ]
  const missing = needed
    .filter((key) => config[key] === undefined)
    .map((key) => `the strategy “${strategy}” needs config.${key}`)
  const credentials = mistakesOfCredentials(config)
  const open = (['issuer', ...endpoints, 'emailsEndpoint', 'revocationEndpoint'] as const)
    .filter((key) => config[key] !== undefined && !isSafeAddress(config[key]))
    .map((key) => `config.${key}: takes an https address; http is only for this machine`)
  return [...missing, ...credentials, ...open]
}

/** Credentials that do not fit the way in which they would be sent. */
function mistakesOfCredentials({
  clientAuthentication: way,
  clientSecret,
  clientKey,
}: LoginConfig): readonly string[] {
  if (way === undefined || way === 'none') return []
  if (way === 'private_key_jwt') {
    return clientKey === undefined
      ? ['config.clientAuthentication “private_key_jwt” needs config.clientKey']
      : []
  }
  return clientSecret === undefined ? [`config.clientAuthentication “${way}” needs config.clientSecret`] : []
}

/** Whether secrets may be sent to an address: no one on the path could read them. */
export function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function mistakesOfGateway(
  { strategy, generator, roles, metadata, allow }: LoginConfig,
  gateway: GatewaySettings | undefined,
): readonly string[] {
  if (strategy !== 'openid' && strategy !== 'oauth2' && (allow ?? roles ?? metadata) !== undefined) {
    return ['allow, account.roles and account.metadata need the strategy “openid” or “oauth2”']
  }
  if (generator !== 'gateway' && (roles ?? metadata) !== undefined) {
    return ['account.roles and account.metadata need the generator “gateway”']
  }
  if ((strategy === 'gateway' || generator === 'gateway') && gateway === undefined) {
    return ['needs a gateway; give gateway.url, or backend.target']
  }
  if (generator === 'gateway' && gateway?.credentials === undefined) {
    return ['the generator “gateway” needs gateway.username, gateway.password and gateway.api_key']
  }
  return []
}
