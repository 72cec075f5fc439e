import { AppError } from '../errors/app-error.ts'
import { parseDocument } from '../http/parse-document.ts'
import type { AccessParts } from './access-parts.ts'
import type { Actor } from './caller.ts'
import { changeRecord, insertNamed, missingRecord } from './change-record.ts'
import { nameToPut, normalizeName } from './name.ts'
import { type Role, roleSchema, roleToPutSchema } from './role.ts'

/** Reading and changing roles. Documents are what clients sent, as it came. */
export interface RoleManagement {
  list(): Promise<readonly Role[]>
  find(name: string): Promise<Role>
  create(document: unknown, actor: Actor): Promise<Role>
  /** Creates or replaces. */
  put(
    name: string,
    document: unknown,
    actor: Actor,
  ): Promise<{ readonly role: Role; readonly created: boolean }>
  remove(name: string, actor: Actor): Promise<void>
}

/** The management of roles. */
export function createRoleManagement(parts: AccessParts): RoleManagement {
  const { store } = parts
  const { roles, accounts } = store
  return {
    list: () => store.read((connection) => roles.list(connection)),

    async find(givenName) {
      const name = normalizeName(givenName)
      const role = await store.read((connection) => roles.find(connection, name))
      if (role === undefined) throw missingRecord('role', name)
      return role
    },

    async create(document, actor) {
      const role = parseDocument(roleSchema, document)
      const { name } = role
      return changeRecord(parts, actor, async (connection) => {
        await insertNamed('role', name, roles.insert(connection, role))
        return { record: 'role', action: 'created', name, answer: role }
      })
    },

    async put(pathName, document, actor) {
      const { name: documentName, authorities } = parseDocument(roleToPutSchema, document)
      const name = nameToPut(pathName, documentName)
      const role = { name, authorities }
      return changeRecord(parts, actor, async (connection) => {
        const created = !(await roles.update(connection, role))
        if (created) await insertNamed('role', name, roles.insert(connection, role))
        return {
          record: 'role',
          action: created ? 'created' : 'changed',
          name,
          answer: { role, created },
        }
      })
    },

    async remove(givenName, actor) {
      const name = normalizeName(givenName)
      await changeRecord(parts, actor, async (connection) => {
        const users = await accounts.countWithRole(connection, name)
        if (users > 0) throw roleInUse(name, users)
        if (!(await roles.remove(connection, name))) throw missingRecord('role', name)
        return { record: 'role', action: 'deleted', name, answer: undefined }
      })
    },
  }
}

function roleInUse(name: string, users: number): AppError {
  const accounts = users === 1 ? '1 account has' : `${users} accounts have`
  return new AppError('IN_USE', {
    detail: `${accounts} the role "${name}". Give them another role, or delete them, first.`,
  })
}
