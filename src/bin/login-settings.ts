import { type LoginConfig, loginNameOf } from '../config/login-options.ts'
import type { GatewaySettings } from '../web-front/login/build-providers.ts'
import type {
  GeneratorSettings,
  ProviderSettings,
  StrategySettings,
} from '../web-front/login/provider-settings.ts'
import type { ClaimMapping } from '../web-front/oauth/claims.ts'
import type { OauthServer } from '../web-front/oauth/oauth-settings.ts'

/** A well-known login provider. */
interface Preset {
  readonly server: Extract<OauthServer, { kind: 'given' }>
  readonly scopes: readonly string[]
  readonly mapping: Pick<ClaimMapping, 'accountId' | 'avatar' | 'properties'>
}

const presets: Readonly<Record<NonNullable<LoginConfig['preset']>, Preset>> = {
  github: {
    server: {
      kind: 'given',
      authorizationEndpoint: 'https://github.com/login/oauth/authorize',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      userinfoEndpoint: 'https://api.github.com/user',
    },
    scopes: ['read:user'],
    mapping: { accountId: 'id', avatar: 'avatar_url', properties: ['login', 'name', 'email', 'html_url'] },
  },
  gitlab: {
    server: {
      kind: 'given',
      authorizationEndpoint: 'https://gitlab.com/oauth/authorize',
      tokenEndpoint: 'https://gitlab.com/oauth/token',
      userinfoEndpoint: 'https://gitlab.com/api/v4/user',
      revocationEndpoint: 'https://gitlab.com/oauth/revoke',
    },
    scopes: ['read_user'],
    mapping: { accountId: 'id', avatar: 'avatar_url', properties: ['username', 'name', 'email', 'web_url'] },
  },
}

const usualClaims = [
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'email',
  'email_verified',
  'locale',
]

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
      ...(clientSecret === undefined ? {} : { clientSecret }),
      clientAuthentication: config.clientAuthentication,
      scopes: config.scope ?? preset?.scopes ?? ['openid', 'profile', 'email'],
      parameters: config.parameters,
    },
    mapping: {
      accountId: config.accountId ?? preset?.mapping.accountId ?? 'sub',
      displayName: config.displayName,
      avatar: config.avatar ?? preset?.mapping.avatar ?? 'picture',
      properties: config.properties ?? preset?.mapping.properties ?? usualClaims,
      ...(accountRole === undefined ? {} : { accountRole }),
      ...(username === undefined ? {} : { username }),
    },
    endsProviderSession: config.endSession !== 'false',
    showsIdToken: config.endSession === 'with_id_token',
  }
}

function presetOf({ strategy, preset }: LoginConfig): Preset | undefined {
  return strategy === 'oauth2' && preset !== undefined ? presets[preset] : undefined
}

function serverOf(config: LoginConfig): OauthServer {
  const { strategy, issuer, authorizationEndpoint, tokenEndpoint, userinfoEndpoint, revocationEndpoint } =
    config
  if (strategy === 'openid') return { kind: 'discovered', issuer: issuer ?? '' }
  const known = presetOf(config)?.server
  return {
    kind: 'given',
    authorizationEndpoint: authorizationEndpoint ?? known?.authorizationEndpoint ?? '',
    tokenEndpoint: tokenEndpoint ?? known?.tokenEndpoint ?? '',
    ...optional('userinfoEndpoint', userinfoEndpoint ?? known?.userinfoEndpoint),
    ...optional('revocationEndpoint', revocationEndpoint ?? known?.revocationEndpoint),
    ...optional('issuer', issuer),
  }
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
  const needed =
    strategy === 'openid'
      ? (['issuer', 'clientId'] as const)
      : preset === undefined
        ? ([...endpoints, 'clientId'] as const)
        : (['clientId'] as const)
  const missing = needed
    .filter((key) => config[key] === undefined)
    .map((key) => `the strategy “${strategy}” needs config.${key}`)
  const open = (['issuer', ...endpoints, 'revocationEndpoint'] as const)
    .filter((key) => config[key] !== undefined && !isSafeAddress(config[key]))
    .map((key) => `config.${key}: takes an https address; http is only for this machine`)
  return [...missing, ...open]
}

/** Whether secrets may be sent to an address: no one on the path could read them. */
export function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function mistakesOfGateway(
  { strategy, generator }: LoginConfig,
  gateway: GatewaySettings | undefined,
): readonly string[] {
  if ((strategy === 'gateway' || generator === 'gateway') && gateway === undefined) {
    return ['needs a gateway; give gateway.url, or backend.target']
  }
  if (generator === 'gateway' && gateway?.credentials === undefined) {
    return ['the generator “gateway” needs gateway.username, gateway.password and gateway.api_key']
  }
  return []
}
