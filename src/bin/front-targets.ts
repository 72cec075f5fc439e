import { existsSync } from 'node:fs'
import type { FrontConfig } from '../config/front-options.ts'
import {
  callGateway,
  createGatewayClient,
  type GatewayCredentials,
} from '../web-front/gateway/gateway-client.ts'
import { buildGateway } from '../web-front/login/build-providers.ts'
import type { ProviderSettings } from '../web-front/login/provider-settings.ts'
import { openSessionStore, type SessionStoreOptions } from '../web-front/session/open-session-store.ts'
import type { WebFrontSettings } from '../web-front/settings.ts'
import { type ConnectTarget, TargetFailed } from './connect-target.ts'
import { rolesNamedBy } from './front-roles.ts'
import { frontSettings } from './front-settings.ts'
import { missingRole } from './gateway-targets.ts'

/** What a web front connects to: the store of its sessions, its login providers, and its gateway. */
export function frontTargets(config: FrontConfig): readonly ConnectTarget[] {
  const settings = frontSettings(config, () => {})
  return [
    ...sessionTargets(settings.session.store),
    ...providerTargets(settings.providers),
    ...gatewayTargets(settings, config),
  ]
}

/** The store of sessions. */
export function sessionTargets(options: SessionStoreOptions): readonly ConnectTarget[] {
  if (options.product === 'memory') return []
  const place = options.product === 'redis' ? new URL(options.url).host : options.file
  const attempt = async () => {
    if (options.product === 'sqlite' && !existsSync(options.file)) return `${place} is created by the start`
    let reason: unknown
    const { store } = await openSessionStore(
      options,
      () => new Date(),
      (error) => {
        reason = error
      },
    )
    try {
      await store.check()
      return place
    } catch (error) {
      throw reason ?? error
    } finally {
      await store.close()
    }
  }
  return [{ name: 'sessions', attempt }]
}

/** The login providers that can be asked who they are. */
export function providerTargets(providers: readonly ProviderSettings[]): readonly ConnectTarget[] {
  return providers.flatMap(({ name, strategy }) => {
    if (strategy.kind !== 'openid' || strategy.oauth.server.kind !== 'discovered') return []
    const { oauth } = strategy
    const attempt = async () => {
      const { OauthClient } = await import('../web-front/oauth/oauth-client.ts')
      const { issuer } = await new OauthClient(oauth).server()
      return issuer
    }
    return [{ name: `provider ${name}`, attempt }]
  })
}

function gatewayTargets(
  { gateway, providers }: Pick<WebFrontSettings, 'gateway' | 'providers'>,
  config: FrontConfig,
): readonly ConnectTarget[] {
  const isNeeded = providers.some(
    ({ strategy, generator }) => strategy.kind === 'gateway' || generator?.kind === 'gateway',
  )
  if (gateway === undefined || !isNeeded) return []
  const { address, credentials } = gateway
  const attempt = async () => {
    await callGateway(address, 'GET', '/healthz', { headers: {} })
    const problem = await buildGateway(gateway, providers).service?.check()
    if (problem !== undefined) throw new TargetFailed(problem.sentence)
    return address
  }
  const roles = credentials === undefined ? [] : rolesNamedBy(config)
  return [
    { name: 'gateway', attempt },
    ...roles.map(({ key, role }) => ({
      name: key,
      attempt: async () =>
        findRole(address, await (credentials as () => Promise<GatewayCredentials>)(), role),
    })),
  ]
}

async function findRole(address: string, own: GatewayCredentials, role: string): Promise<string> {
  const client = createGatewayClient(address)
  const logon = await client.logOn(own)
  if (logon === undefined) throw new TargetFailed('The gateway refuses the web front’s own account.')
  const headers = { 'x-xaas-auth-token': logon.token }
  try {
    const { status } = await callGateway(address, 'GET', `/manage/roles/${encodeURIComponent(role)}`, {
      headers,
    })
    if (status === 404) throw new TargetFailed(missingRole(role))
    return status === 200
      ? `role “${role}”`
      : `role “${role}” was not looked up: the web front’s own account may not read roles (GET /manage/roles)`
  } finally {
    await client.logOff(logon.token)
  }
}
