import { ConfigError } from '../config/config-error.ts'
import type { FrontConfig } from '../config/front-options.ts'
import type { Observer } from '../observe/events.ts'
import type { GatewaySettings } from '../web-front/login/build-providers.ts'
import type { ProviderSettings } from '../web-front/login/provider-settings.ts'
import type { SessionStoreOptions } from '../web-front/session/open-session-store.ts'
import type { WebFrontSettings } from '../web-front/web-front.ts'
import { readLogin } from './login-settings.ts'

/** What a web front needs, from its configuration. Throws `ConfigError` for options that do not go together. */
export function frontSettings(config: FrontConfig, observe: Observer): WebFrontSettings {
  const gateway = gatewaySettings(config)
  const logins = config.authentication.map((login) => readLogin(login, gateway))
  const providers = logins.map(({ settings }) => settings)
  const mistakes = [...mistakesInNames(providers), ...logins.flatMap((login) => login.mistakes)]
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    host: config.host,
    port: config.port,
    ...(config.base_url === undefined ? {} : { baseUrl: config.base_url }),
    bodyLimitBytes: config.body_limit,
    content: {
      root: config.content_root,
      patterns: config.content_route,
      policy: config.content_policy,
    },
    session: {
      store: storeOptions(config),
      idleMs: config.session_idle,
      lifetimeMs: config.session_lifetime,
      cookieName: config.session_cookie,
      ...(config.session_after_logout === undefined ? {} : { afterLogout: config.session_after_logout }),
    },
    surroundings: { backend: config.backend_target ?? '', configs: config.configs },
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

function gatewaySettings(config: FrontConfig): GatewaySettings | undefined {
  const address = config.gateway_url ?? config.backend_target
  if (address === undefined) return undefined
  const { gateway_username: username, gateway_password: password, gateway_api_key: apiKey } = config
  const isComplete = username !== undefined && password !== undefined && apiKey !== undefined
  return {
    address,
    ...(isComplete ? { credentials: { username, password, apiKey } } : {}),
    ...(config.gateway_role === undefined ? {} : { roleOfNewAccounts: config.gateway_role }),
  }
}

function mistakesInNames(providers: readonly ProviderSettings[]): readonly string[] {
  const names = providers.map(({ name }) => name)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...repeated].map(
    (name) => `authentication: several entries have the name ${name}; give each its own`,
  )
}
