import type { FrontConfig } from '../config/front-options.ts'

/** The roles at the gateway that the configuration of a web front names, with the key that names each. */
export function rolesNamedBy({
  gateway_role,
  authentication,
}: Pick<FrontConfig, 'gateway_role' | 'authentication'>): readonly {
  readonly key: string
  readonly role: string
}[] {
  const usual = gateway_role === undefined ? [] : [{ key: 'gateway.role', role: gateway_role }]
  const fromClaims = authentication.flatMap(({ roles = {} }) =>
    Object.values(roles).flatMap((byValue) => Object.values(byValue).flat()),
  )
  return [
    ...usual,
    ...[...new Set(fromClaims)].map((role) => ({ key: 'authentication.account.roles', role })),
  ]
}
