import { type BackendConfig, backendsOf } from '../config/backend-options.ts'
import { ConfigError } from '../config/config-error.ts'
import type { FrontConfig } from '../config/front-options.ts'
import type { Observer } from '../observe/events.ts'
import type { GatewaySettings } from '../web-front/login/build-providers.ts'
import type { ProviderSettings } from '../web-front/login/provider-settings.ts'
import type { SessionStoreOptions } from '../web-front/session/open-session-store.ts'
import type { WebFrontSettings } from '../web-front/web-front.ts'
import { readBackends } from './backend-settings.ts'
import { echoSettings } from './echo-settings.ts'
import { isSafeAddress, readLogin } from './login-settings.ts'

/**
 * The settings of a web front, from its configuration. `ownAccount` returns its credentials at the gateway if the
 * configuration has none. Throws `ConfigError` for options that cannot be combined.
 */
export function frontSettings(
  config: FrontConfig,
  observe: Observer,
  ownAccount?: GatewaySettings['credentials'],
): WebFrontSettings {
  const gateway = gatewaySettings(config, ownAccount)
  const logins = config.authentication.map((login) => readLogin(login, gateway))
  const providers = logins.map(({ settings }) => settings)
  const backends = readBackends(config, providers)
  const [first] = backendsOf(config)
  const mistakes = [
    ...backends.mistakes,
    ...mistakesInNames(providers),
    ...mistakesInAddress(config),
    ...logins.flatMap((login) => login.mistakes),
  ]
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    host: config.host,
    port: config.port,
    ...(config.base_url === undefined ? {} : { baseUrl: config.base_url }),
    bodyLimitBytes: config.body_limit,
    timeouts: { keepAlive: config.keep_alive },
    ...(config.max_connections === undefined ? {} : { maxConnections: config.max_connections }),
    trustedProxies: config.trusted_proxies ?? [],
    content: {
      root: config.content_root,
      patterns: config.content_route,
      policy: { ...policyForBackend(first), ...config.content_policy },
    },
    session: {
      store: storeOptions(config),
      idleMs: config.session_idle,
      lifetimeMs: config.session_lifetime,
      cookieName: config.session_cookie,
      ...(config.session_secret === undefined ? {} : { secrets: config.session_secret }),
      ...(config.session_after_logout === undefined ? {} : { afterLogout: config.session_after_logout }),
    },
    surroundings: {
      backend: first?.proxypath ?? first?.target ?? '',
      configs: config.configs,
    },
    ...(backends.settings.length === 0 ? {} : { backends: backends.settings }),
    echo: echoSettings(config),
    providers,
    ...(gateway === undefined ? {} : { gateway }),
    observe,
  }
}

function storeOptions(config: FrontConfig): SessionStoreOptions {
  switch (config.session_store) {
    case 'memory':
      return { product: 'memory' }
    case 'sqlite':
      return { product: 'sqlite', file: config.session_file }
    case 'redis':
      return { product: 'redis', url: config.session_url, prefix: config.session_prefix }
  }
}

function gatewaySettings(
  config: FrontConfig,
  ownAccount: GatewaySettings['credentials'],
): GatewaySettings | undefined {
  const address = config.gateway_url ?? backendsOf(config)[0]?.target
  if (address === undefined) return undefined
  const { gateway_username: username, gateway_password: password, gateway_api_key: apiKey } = config
  const isComplete = username !== undefined && password !== undefined && apiKey !== undefined
  const credentials = isComplete ? async () => ({ username, password, apiKey }) : ownAccount
  return {
    address,
    ...(credentials === undefined ? {} : { credentials }),
    ...(config.gateway_role === undefined ? {} : { roleOfNewAccounts: config.gateway_role }),
  }
}

/** Without a proxy path, the application calls the backend itself. */
function policyForBackend(first: BackendConfig | undefined): WebFrontSettings['content']['policy'] {
  if (first?.target === undefined || first.proxypath !== undefined) return {}
  const { origin } = new URL(first.target)
  return { 'connect-src': `'self' ${origin} ${origin.replace(/^http/, 'ws')}` }
}

/** https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#transport-layer-security */
function mistakesInAddress({
  base_url: address,
  authentication,
  session_plain_http,
}: FrontConfig): readonly string[] {
  if (address === undefined || isSafeAddress(address)) return []
  if (authentication.length === 0 || session_plain_http) return []
  return [
    'base_url: takes an https address where people log in; http is only for this machine, or for tests with session.plainHttp',
  ]
}

function mistakesInNames(providers: readonly ProviderSettings[]): readonly string[] {
  const names = providers.map(({ name }) => name)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...repeated].map(
    (name) => `authentication: several entries have the name ${name}; give each its own`,
  )
}
