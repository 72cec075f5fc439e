import type { Connection } from '../../database/driver.ts'
import type { AccessParts } from '../access-parts.ts'
import { partMethod } from '../authorization/part-rights.ts'
import { compileRole } from '../authorization/role.ts'

/** A part of a path's resources, such as an entity, that gets another name. */
export interface PartRename {
  /** For example `/graphql`. */
  readonly path: string
  /** Its current and former names. */
  readonly names: readonly string[]
  readonly newName: string
}

/** Names of the roles that would gain access to a part by its new name. */
export async function rolesThatGain(
  { path, names, newName }: PartRename,
  { store, directory }: Pick<AccessParts, 'store' | 'directory'>,
  connection: Connection,
): Promise<readonly string[]> {
  const roles = await store.roles.list(connection)
  const known = [path, ...names.map((name) => `${path}/${name}`)]
  return roles
    .map((role) => compileRole(role, directory.patternOf))
    .filter((role) => role.allows(partMethod, `${path}/${newName}`))
    .filter((role) => !known.some((each) => role.allows(partMethod, each)))
    .map(({ name }) => name)
}
