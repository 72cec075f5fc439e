import { type BackendConfig, backendsOf } from '../config/backend-options.ts'
import { ConfigError } from '../config/config-error.ts'
import type { FrontConfig } from '../config/front-options.ts'
import type { Observer } from '../observe/events.ts'
import type { GatewaySettings } from '../web-front/login/build-providers.ts'
import type { ProviderSettings } from '../web-front/login/provider-settings.ts'
import type { SessionStoreOptions } from '../web-front/session/open-session-store.ts'
import type { WebFrontSettings } from '../web-front/settings.ts'
import { readBackends } from './backend-settings.ts'
import { consoleMistakes, consoleSettings } from './console-settings.ts'
import { echoSettings } from './echo-settings.ts'
import { guideFolder } from './guide-folder.ts'
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
  const { echo, mistakes: mistakesInEcho } = echoSettings(config)
  const providers = providersOf(config, gateway)
  const backends = readBackends(config, providers).settings
  const [first] = backendsOf(config)
  const console = consoleSettings(config, gateway)
  const mistakes = [...combinationMistakes(config, gateway), ...mistakesInEcho]
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    host: config.host,
    port: config.port,
    ...(config.base_url === undefined ? {} : { baseUrl: config.base_url }),
    bodyLimitBytes: config.body_limit,
    timeouts: { keepAlive: config.keep_alive },
    ...(config.max_connections === undefined ? {} : { maxConnections: config.max_connections }),
    trustedProxies: config.trusted_proxies ?? [],
    content: contentOf(config),
    ...(console === undefined ? {} : { console }),
    session: {
      store: storeOptions(config),
      idleMs: config.session_idle,
      lifetimeMs: config.session_lifetime,
      cookieName: config.session_cookie,
      ...(config.session_secret === undefined ? {} : { secrets: config.session_secret }),
      revoke: config.session_revoke,
      ...(config.session_after_logout === undefined ? {} : { afterLogout: config.session_after_logout }),
    },
    guideFolder,
    surroundings: {
      backend: first?.proxypath ?? first?.target ?? '',
      configs: config.configs,
    },
    ...(backends.length === 0 ? {} : { backends }),
    echo,
    providers,
    ...(gateway === undefined ? {} : { gateway }),
    observe,
  }
}

/** What a web front would refuse at its start although each option is right, one line each. Nothing is opened. */
export async function frontMistakes(
  config: FrontConfig,
  ownAccount?: GatewaySettings['credentials'],
): Promise<readonly string[]> {
  const gateway = gatewaySettings(config, ownAccount)
  const { echo, mistakes } = echoSettings(config)
  const { unusableFiles } = await import('../web-front/unusable-files.ts')
  const console = consoleSettings(config, gateway)
  const files = {
    content: contentOf(config),
    ...(console === undefined ? {} : { console }),
    echo,
    providers: providersOf(config, gateway),
  }
  return [...combinationMistakes(config, gateway), ...mistakes, ...(await unusableFiles(files))]
}

function combinationMistakes(config: FrontConfig, gateway: GatewaySettings | undefined): readonly string[] {
  const providers = providersOf(config, gateway)
  return [
    ...readBackends(config, providers).mistakes,
    ...consoleMistakes(config),
    ...mistakesInNames(providers),
    ...mistakesInAddress(config),
    ...config.authentication.flatMap((login) => readLogin(login, gateway).mistakes),
  ]
}

function providersOf(
  { authentication }: FrontConfig,
  gateway: GatewaySettings | undefined,
): readonly ProviderSettings[] {
  return authentication.map((login) => readLogin(login, gateway).settings)
}

function contentOf(config: FrontConfig): WebFrontSettings['content'] {
  return {
    ...(config.content_root === undefined ? {} : { root: config.content_root }),
    patterns: config.content_route,
    policy: { ...policyForBackend(backendsOf(config)[0]), ...config.content_policy },
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
