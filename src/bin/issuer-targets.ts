import { IssuerKeys } from '../access/authentication/token-issuers/issuer-keys.ts'
import type { GatewayConfig } from '../config/gateway-options.ts'
import type { IssuerConfig } from '../config/issuer-options.ts'
import { type ConnectTarget, TargetFailed } from './connect-target.ts'
import { tokenIssuerOf } from './gateway-settings.ts'

/** The token issuers of a gateway: their keys are read. */
export function issuerTargets({ token_issuers: issuers = [] }: GatewayConfig): readonly ConnectTarget[] {
  return issuers.map((config) => ({
    name: `issuer ${config.name}`,
    async attempt() {
      const count = await new IssuerKeys(tokenIssuerOf(config), () => new Date()).load()
      if (count === 0) throw new TargetFailed(`${config.issuer} has no keys.`)
      return `${config.issuer}, ${count === 1 ? '1 key' : `${count} keys`}`
    },
  }))
}

/** The roles that token issuers give, each with its key. */
export function issuerRoles({ token_issuers: issuers = [] }: GatewayConfig) {
  const roles = issuers.flatMap(({ role = [], roles: byClaim = {} }: IssuerConfig) => [
    ...role,
    ...Object.values(byClaim).flatMap((byValue) => Object.values(byValue).flat()),
  ])
  return [...new Set(roles)].map((role) => ({ key: 'token_issuers', role }))
}
