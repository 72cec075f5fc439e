/** Whose authorities count for a request: those of the caller's roles, and what public routes open to anyone. */
import type { PublicRoutes } from '../../access/authorization/api-routes.ts'
import { graphqlPath, isAllowedOnRecords } from '../../access/authorization/authorize.ts'
import { includesMethod } from '../../access/authorization/method.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import type { CompiledRole } from '../../access/authorization/role.ts'
import type { Caller } from '../../access/caller.ts'
import type { Granting } from './grants.ts'

/** See the head of this file; a request has both. */
export interface RightsHolder {
  /** Undefined for anyone. */
  readonly caller: Pick<Caller, 'roles' | 'attributes'> | undefined
  /** Undefined if they do not count. */
  readonly publicRoutes: PublicRoutes | undefined
}

const noRoles: readonly CompiledRole[] = []

/** The roles of a holder; always the same list as long as they are the same. */
export function rolesOf({ caller }: RightsHolder): readonly CompiledRole[] {
  return caller?.roles ?? noRoles
}

/** What matches a method on a path, with and without conditions. */
export function allowing(holder: RightsHolder, method: string, path: string): readonly Granting[] {
  return [...allowingRoles(holder, method, path), ...listed(holder.publicRoutes?.opensAt(method, path))]
}

/** Whether a method on a path of records is allowed. */
export function isAllowedCall(holder: RightsHolder, method: string, path: string): boolean {
  return (
    isAllowedOnRecords(rolesOf(holder), method, path) ||
    holder.publicRoutes?.opensAt(method, path) !== undefined
  )
}

/** What gives an entity of GraphQL by its name. */
export function allowingPart(holder: RightsHolder, name: string): readonly Granting[] {
  const byRoute = listed(holder.publicRoutes?.opensPart(graphqlPath, name))
  return [...allowingRoles(holder, partMethod, `${graphqlPath}/${name}`), ...byRoute]
}

/** What matches one of some methods on a path, or on some path one segment below. */
export function allowingSomewhere(
  holder: RightsHolder,
  methods: readonly string[],
  path: string,
): readonly Granting[] {
  const { publicRoutes } = holder
  const ofRoles = rolesOf(holder).flatMap(({ authorities }) =>
    authorities.filter(
      (authority) =>
        methods.some((method) => includesMethod(authority.methods, method)) &&
        (authority.matches(path) || authority.matches.below(path)),
    ),
  )
  const opened = methods.flatMap((method) => [
    ...listed(publicRoutes?.opensAt(method, path)),
    ...(publicRoutes?.opensBelow(method, path) ?? []),
  ])
  return [...new Set<Granting>([...ofRoles, ...opened])]
}

function allowingRoles(holder: RightsHolder, method: string, path: string): readonly Granting[] {
  return rolesOf(holder).flatMap(({ authorities }) =>
    authorities.filter((authority) => authority.allows(method, path)),
  )
}

function listed(granting: Granting | undefined): readonly Granting[] {
  return granting === undefined ? [] : [granting]
}
