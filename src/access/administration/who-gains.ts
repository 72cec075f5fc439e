import type { Connection } from '../../database/driver.ts'
import type { AccessParts } from '../access-parts.ts'
import { compileApiRoutes } from '../authorization/api-routes.ts'
import type { CompiledAuthority } from '../authorization/authority.ts'
import { partMethod } from '../authorization/part-rights.ts'
import { conditionsKey } from '../authorization/record-conditions.ts'
import { compileRole } from '../authorization/role.ts'

/** A part of a path's resources, such as an entity, that gets another name. */
export interface PartRename {
  /** For example `/graphql`. */
  readonly path: string
  /** Its current and former names. */
  readonly names: readonly string[]
  readonly newName: string
}

/** The names of roles and public routes that would open a part to more people by its new name. */
export interface Gainers {
  readonly roles: readonly string[]
  readonly routes: readonly string[]
}

/** Who would gain access to a part by its new name. */
export async function whoGains(
  { path, names, newName }: PartRename,
  { store, directory }: Pick<AccessParts, 'store' | 'directory'>,
  connection: Connection,
): Promise<Gainers> {
  const roles = await store.roles.list(connection)
  const known = [path, ...names.map((name) => `${path}/${name}`)]
  const gaining = roles
    .map((role) => compileRole(role, directory.patternOf))
    .filter(({ authorities }) => gains(authorities, known, `${path}/${newName}`))
  const routes = compileApiRoutes(await store.apiRoutes.list(connection))
  const opens = routes.opensPart(path, newName)
  const open = [routes.opensAt(partMethod, path), ...names.map((name) => routes.opensPart(path, name))]
  const openKeys = open.flatMap((one) => (one === undefined ? [] : [conditionsKey(one.conditions)]))
  const isOpenAlready =
    opens === undefined ||
    openKeys.includes(conditionsKey(undefined)) ||
    openKeys.includes(conditionsKey(opens.conditions))
  return { roles: gaining.map(({ name }) => name), routes: isOpenAlready ? [] : [opens.route.name] }
}

/** Whether one of some authorities allows a new path, and none without conditions or with the same ones a known path. */
function gains(
  authorities: readonly CompiledAuthority[],
  known: readonly string[],
  newPath: string,
): boolean {
  const held = authorities.filter((authority) => known.some((path) => authority.allows(partMethod, path)))
  const heldKeys = new Set(held.map(({ conditions }) => conditionsKey(conditions)))
  if (heldKeys.has(conditionsKey(undefined))) return false
  return authorities.some(
    (authority) =>
      authority.allows(partMethod, newPath) && !heldKeys.has(conditionsKey(authority.conditions)),
  )
}
