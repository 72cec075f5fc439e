/** Well-known login providers: what is known of each, so that nobody has to configure it. */
import type { LoginConfig } from '../config/login-options.ts'
import type { ClaimMapping } from '../web-front/oauth/claims.ts'
import type { OauthServer } from '../web-front/oauth/oauth-settings.ts'

/** What is known of a provider. */
export interface ProviderPreset {
  /** Absent where the configuration names the issuer. */
  readonly server?: OauthServer
  readonly scopes: readonly string[]
  /** What the authorization request needs besides, for refresh tokens to be given. */
  readonly forRefresh?: {
    readonly scopes?: readonly string[]
    readonly parameters?: Readonly<Record<string, string>>
  }
  readonly mapping?: Partial<Pick<ClaimMapping, 'accountId' | 'avatar' | 'properties'>>
}

type PresetName = NonNullable<LoginConfig['preset']>

/** The claims that OpenID providers usually send. */
export const usualClaims: readonly string[] = [
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'email',
  'email_verified',
  'locale',
]

const openidScopes = ['openid', 'profile', 'email']

const oauth2Presets: Readonly<Partial<Record<PresetName, ProviderPreset>>> = {
  // https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
  github: {
    server: {
      kind: 'given',
      authorizationEndpoint: 'https://github.com/login/oauth/authorize',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      userinfoEndpoint: 'https://api.github.com/user',
      emailsEndpoint: 'https://api.github.com/user/emails',
    },
    scopes: ['read:user', 'user:email'],
    mapping: {
      accountId: 'id',
      avatar: 'avatar_url',
      properties: ['login', 'name', 'email', 'email_verified', 'html_url'],
    },
  },
  // https://docs.gitlab.com/api/oauth2/
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

const openidPresets: Readonly<Partial<Record<PresetName, ProviderPreset>>> = {
  // https://developers.google.com/identity/openid-connect/openid-connect: it knows no scope offline_access.
  google: {
    server: { kind: 'discovered', issuer: 'https://accounts.google.com' },
    scopes: openidScopes,
    forRefresh: { parameters: { access_type: 'offline', prompt: 'consent' } },
    mapping: { properties: [...usualClaims, 'hd'] },
  },
  // https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference: the e-mail address is not verified.
  entra: {
    scopes: openidScopes,
    forRefresh: { scopes: ['offline_access'] },
    mapping: { properties: ['name', 'preferred_username', 'email', 'oid', 'tid'] },
  },
  keycloak: { scopes: openidScopes },
  // https://developer.okta.com/docs/reference/api/oidc/
  okta: { scopes: openidScopes, forRefresh: { scopes: ['offline_access'] } },
  // https://docs.gitlab.com/integration/openid_connect_provider/
  gitlab: {
    server: { kind: 'discovered', issuer: 'https://gitlab.com' },
    scopes: openidScopes,
    mapping: { properties: [...usualClaims, 'nickname', 'profile'] },
  },
}

/** What is known of the configured provider; undefined without a preset, or with one for another strategy. */
export function presetOf({ strategy, preset }: LoginConfig): ProviderPreset | undefined {
  if (preset === undefined) return undefined
  return strategy === 'openid'
    ? openidPresets[preset]
    : strategy === 'oauth2'
      ? oauth2Presets[preset]
      : undefined
}

/** What is wrong with a preset, as it is configured. */
export function mistakesOfPreset(config: LoginConfig): readonly string[] {
  const { preset, strategy, issuer, tenant } = config
  if (preset === undefined || (strategy !== 'openid' && strategy !== 'oauth2')) return []
  if (presetOf(config) === undefined) {
    const other = strategy === 'openid' ? 'oauth2' : 'openid'
    return [`config.preset “${preset}” needs the strategy “${other}”`]
  }
  if (preset === 'entra' && tenant === undefined && issuer === undefined) {
    return ['config.preset “entra” needs config.tenant, the id of the tenant']
  }
  if (preset === 'keycloak' && issuer !== undefined && !/\/realms\/[^/]+$/.test(issuer)) {
    return ['config.issuer: of Keycloak it ends in /realms/ and the name of the realm']
  }
  return []
}

/** The issuer of a preset whose tenant is configured. */
export function issuerOfTenant({ preset, tenant }: LoginConfig): string | undefined {
  return preset === 'entra' && tenant !== undefined
    ? `https://login.microsoftonline.com/${tenant}/v2.0`
    : undefined
}
