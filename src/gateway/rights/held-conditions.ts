import type { Access } from '../../access/access.ts'
import {
  type ConditionedPaths,
  conditionedAuthorities,
  conditionedRoutes,
} from '../../access/authorization/conditions-report.ts'

/** Conditions of a role or of a public route. */
interface OwnedConditions extends ConditionedPaths {
  /** Its name. */
  readonly owner: { readonly role: string } | { readonly route: string }
}

/** The conditions of all roles and public routes, as they were read last. */
export function* heldConditions(access: Pick<Access, 'held'>): Generator<OwnedConditions> {
  const { roles, apiRoutes } = access.held()
  for (const { name, authorities } of roles)
    for (const one of conditionedAuthorities(authorities, name)) yield { ...one, owner: { role: name } }
  for (const route of apiRoutes)
    for (const one of conditionedRoutes([route])) yield { ...one, owner: { route: route.name } }
}
