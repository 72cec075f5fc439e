import type { BackendSettings } from '../backend/backend-settings.ts'
import { hasGatewayAccounts, type LoginProvider } from '../login/login-provider.ts'
import { gatewayPathOf } from './console-session.ts'
import type { ConsoleSettings } from './console-settings.ts'

/** The gateway as the backend of the console; none if the console is off, or no one can log in with accounts there. */
export function consoleBackends(
  settings: ConsoleSettings | undefined,
  providers: readonly LoginProvider[],
): readonly BackendSettings[] {
  if (settings?.gateway === undefined || !providers.some(hasGatewayAccounts)) return []
  return [
    {
      proxyPath: gatewayPathOf(settings.path),
      target: settings.gateway,
      timeouts: { connect: 5000, response: 300_000, idle: 300_000 },
      tokenHeader: 'X-Xaas-Auth-Token',
      token: { kind: 'gateway' },
      isGateway: true,
    },
  ]
}
