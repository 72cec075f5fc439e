/** What a changed role adds and takes away, compared with the stored one. */
import { conditionsKey, conditionsOf, type RecordConditions } from '../components/record-conditions.ts'
import { methods, type RoleDraft } from './role-draft.ts'

/** A method on the paths of an expression, with conditions on the records that these are about. */
export interface Permission extends RecordConditions {
  readonly method: string
  readonly regex: string
}

/** The permissions that one role has and the other has not, by their text: what they mean is for the gateway to say. */
export interface RoleChanges {
  readonly added: readonly Permission[]
  readonly removed: readonly Permission[]
}

/** Compares the permissions of two roles. */
export function changesOf(
  before: Pick<RoleDraft, 'authorities'>,
  after: Pick<RoleDraft, 'authorities'>,
): RoleChanges {
  const [old, fresh] = [permissionsOf(before), permissionsOf(after)]
  return { added: missingIn(old, fresh), removed: missingIn(fresh, old) }
}

/** A text that no other permission has. */
export function permissionKey(permission: Permission): string {
  const { method, regex } = permission
  return `${method} ${regex} ${conditionsKey(permission)}`
}

type Permissions = ReadonlyMap<string, Permission>

function permissionsOf({ authorities }: Pick<RoleDraft, 'authorities'>): Permissions {
  const found = new Map<string, Permission>()
  for (const { regex, methods: chosen, ...conditions } of authorities) {
    for (const method of methods) {
      if (!chosen.includes(method)) continue
      const permission = { method, regex, ...conditionsOf(conditions) }
      found.set(permissionKey(permission), permission)
    }
  }
  return found
}

function missingIn(some: Permissions, others: Permissions): readonly Permission[] {
  return [...others].filter(([key]) => !some.has(key)).map(([, permission]) => permission)
}
