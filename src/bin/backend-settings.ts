import { type BackendConfig, backendFlagsOf, backendsOf } from '../config/backend-options.ts'
import type { FrontConfig } from '../config/front-options.ts'
import { loginNameOf } from '../config/login-options.ts'
import { parseTarget } from '../proxy/target.ts'
import type { BackendIdentity, BackendSettings, BackendToken } from '../web-front/backend/backend-settings.ts'
import type { ProviderSettings } from '../web-front/login/provider-settings.ts'
import type { OauthSettings } from '../web-front/oauth/oauth-settings.ts'
import { isSafeAddress } from './login-settings.ts'

/** The backends of a web front, and what is wrong with their options. */
export interface BackendsReading {
  readonly settings: readonly BackendSettings[]
  readonly mistakes: readonly string[]
}

/** The backends with a proxy path, from the configuration. */
export function readBackends(config: FrontConfig, providers: readonly ProviderSettings[]): BackendsReading {
  const backends = backendsOf(config)
  const gateway = config.gateway_url ?? (usesGateway(providers) ? backends[0]?.target : undefined)
  const settings = backends.flatMap((backend) => {
    const read = settingsOf(backend, providers)
    return read === undefined ? [] : [{ ...read, isGateway: backend.target === gateway }]
  })
  const mistakes = [
    ...mistakesInFlags(config),
    ...mistakesInPaths(backends, config),
    ...backends.flatMap((backend, index) => {
      const place = placeOf(index, backends)
      return mistakesIn(backend, config, providers).map((mistake) => `${place}${mistake}`)
    }),
  ]
  return { settings, mistakes }
}

function usesGateway(providers: readonly ProviderSettings[]): boolean {
  return providers.some(({ strategy, generator }) => [strategy.kind, generator?.kind].includes('gateway'))
}

function settingsOf(
  backend: BackendConfig,
  providers: readonly ProviderSettings[],
): BackendSettings | undefined {
  const { proxypath: proxyPath, target: address, tokenHeader, rewrite: rewrites } = backend
  const target = address === undefined ? undefined : parseTarget(address)
  const token = tokenOf(backend, providers)
  if (proxyPath === undefined || target === undefined || 'mistake' in target) return undefined
  if (token === undefined) return undefined
  const timeouts = { connect: 5000, response: backend.timeout, idle: 300_000 }
  const identity = identityOf(backend, target.origin)
  return {
    proxyPath,
    target,
    timeouts,
    tokenHeader,
    token,
    rewrites,
    ...(identity === undefined ? {} : { identity }),
  }
}

function identityOf({ identity, audience }: BackendConfig, origin: string): BackendIdentity | undefined {
  if (identity === 'none') return undefined
  return identity === 'headers' ? { kind: identity } : { kind: identity, audience: audience ?? origin }
}

function tokenOf(backend: BackendConfig, providers: readonly ProviderSettings[]): BackendToken | undefined {
  const { token: kind, clientScope } = backend
  if (kind !== 'client') return { kind }
  const own = ownClient(backend)
  if (own !== undefined) return { kind, oauth: own, scopes: clientScope ?? [] }
  const provider = providers.find(({ strategy }) => 'oauth' in strategy)
  if (provider === undefined || !('oauth' in provider.strategy)) return undefined
  const { generator } = provider
  const scopes = generator?.kind === 'client_credentials' ? generator.scopes : []
  return { kind, oauth: provider.strategy.oauth, scopes: clientScope ?? scopes }
}

/** The client that a backend has itself; undefined without one. */
function ownClient(backend: BackendConfig): OauthSettings | undefined {
  const { clientIssuer: issuer, clientTokenEndpoint: tokenEndpoint, clientId, clientSecret } = backend
  if (issuer === undefined && tokenEndpoint === undefined) return undefined
  return {
    provider: 'backend',
    server:
      tokenEndpoint === undefined
        ? { kind: 'discovered', issuer: issuer ?? '' }
        : {
            kind: 'given',
            ...(issuer === undefined ? {} : { issuer }),
            authorizationEndpoint: tokenEndpoint,
            tokenEndpoint,
          },
    clientId: clientId ?? '',
    ...(clientSecret === undefined ? {} : { clientSecret }),
    clientAuthentication: backend.clientAuthentication,
    scopes: [],
    parameters: {},
  }
}

function placeOf(index: number, { length }: readonly unknown[]): string {
  return length === 1 ? 'backend.' : `backend[${index}].`
}

function mistakesInFlags(config: FrontConfig): readonly string[] {
  if (config.backend.length === 1 || Object.keys(backendFlagsOf(config)).length === 0) return []
  return [
    'backend_target, backend_proxypath, backend_token_header and backend_timeout: are for one backend, and backend is a list',
  ]
}

/** Paths that the web front serves itself, besides the console. */
export const ownPaths = /^\/(session|auth|logout|signout|echo|manage|healthz|readyz)(\/|$)/

function mistakesInPaths(backends: readonly BackendConfig[], config: FrontConfig): readonly string[] {
  const anyPath = backends.some(({ proxypath }) => proxypath !== undefined)
  const login = config.authentication.find(({ transparentTokens }) => transparentTokens)
  const unused =
    anyPath || login === undefined
      ? []
      : [`authentication ${loginNameOf(login)}: transparentTokens needs backend.proxypath`]
  const paths = backends.map(({ proxypath }) => proxypath)
  const repeated = paths.flatMap((path, index) => {
    const first = paths.indexOf(path)
    return path === undefined || first === index
      ? []
      : [`backend[${index}].proxypath: ${path} is already that of backend[${first}]`]
  })
  return [...unused, ...repeated]
}

function mistakesIn(
  backend: BackendConfig,
  config: FrontConfig,
  providers: readonly ProviderSettings[],
): readonly string[] {
  const { proxypath, target: address } = backend
  const isOfList = config.backend.length > 1
  const target = address === undefined ? undefined : parseTarget(address)
  const missing = isOfList && address === undefined ? ['target: missing'] : []
  if (proxypath === undefined) return isOfList ? [...missing, 'proxypath: missing'] : []
  const page = config.content_route.find((pattern) => isAtOrBelow(pattern, proxypath))
  return [
    ...(address === undefined && !isOfList ? ['proxypath: needs backend.target'] : []),
    ...missing,
    ...(target !== undefined && 'mistake' in target ? [`target: ${target.mistake}`] : []),
    ...(ownPaths.test(proxypath) ? [`proxypath: ${proxypath} is a path of the web front itself`] : []),
    ...(page === undefined ? [] : [`proxypath: ${proxypath} hides the page ${page} of content.route`]),
    ...mistakesOfToken(backend, providers),
    ...mistakesOfIdentity(backend, config),
  ]
}

/** Whether a path, or every path of a pattern, is at or below another. */
export function isAtOrBelow(pattern: string, path: string): boolean {
  return pattern === path || pattern.startsWith(`${path}/`)
}

const endpoints = [
  ['clientIssuer', 'client.issuer'],
  ['clientTokenEndpoint', 'client.tokenEndpoint'],
] as const

function mistakesOfToken(backend: BackendConfig, providers: readonly ProviderSettings[]): readonly string[] {
  if (backend.token !== 'client') return []
  const hasOwn = ownClient(backend) !== undefined
  const open = endpoints
    .filter(([key]) => backend[key] !== undefined && !isSafeAddress(backend[key]))
    .map(([, key]) => `${key}: takes an https address; http is only for this machine`)
  return [
    ...(tokenOf(backend, providers) === undefined
      ? ['token: “client” needs client.issuer or client.tokenEndpoint, or a login by openid or oauth2']
      : []),
    ...(hasOwn && backend.clientId === undefined ? ['client.clientId: missing'] : []),
    ...open,
  ]
}

function mistakesOfIdentity({ identity }: BackendConfig, config: FrontConfig): readonly string[] {
  const needsSecret = identity === 'jwt' && config.session_secret === undefined
  return needsSecret && config.session_store !== 'memory'
    ? ['identity: “jwt” needs session.secret, from which all nodes derive their key']
    : []
}
