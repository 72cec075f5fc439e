/** What claims give to an account at the gateway. */
import { isDeepStrictEqual } from 'node:util'
import type { AccountGrants } from '../../util/claim-rules.ts'
import { loginFailure } from '../login/login-failures.ts'
import type { GatewayToken } from './gateway-client.ts'

/** Roles and metadata that differ from those of an account. */
export function changesFor(
  { roles: current, metadata: before }: GatewayToken,
  { roles, metadata }: AccountGrants,
): { readonly role?: readonly string[]; readonly metadata?: object } {
  const known = typeof before === 'object' && before !== null ? before : {}
  const after = { ...known, ...metadata }
  const merged = JSON.parse(JSON.stringify(after))
  return {
    ...(roles === undefined || isDeepStrictEqual(roles, current) ? {} : { role: roles }),
    ...(metadata === undefined || isDeepStrictEqual(merged, known) ? {} : { metadata: merged }),
  }
}

/** Who gets no role from claims has that of new accounts. Throws LOGIN_REFUSED if there is none. */
export function withUsualRole(grants: AccountGrants, usual: string | undefined): AccountGrants {
  if (grants.roles !== undefined && grants.roles.length > 0) return grants
  if (usual !== undefined) return { ...grants, roles: [usual] }
  if (grants.roles !== undefined) throw loginFailure('noRole')
  return grants
}
