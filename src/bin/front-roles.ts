import type { FrontConfig } from '../config/front-options.ts'

/** The roles at the gateway that the configuration of a web front names, with the key that names each. */
export function rolesNamedBy({
  gateway_role,
}: Pick<FrontConfig, 'gateway_role'>): readonly { readonly key: string; readonly role: string }[] {
  return gateway_role === undefined ? [] : [{ key: 'gateway.role', role: gateway_role }]
}
