import type { Connection } from '../database/driver.ts'
import { AppError, type Mistake } from '../errors/app-error.ts'
import { parseDocument } from '../http/parse-document.ts'
import type { AccessParts } from './access-parts.ts'
import { concernsAdministrators, hasAdministrator, requireAdministratorLeft } from './administrators.ts'
import type { Actor } from './caller.ts'
import { changeRecord, insertNamed, missingRecord } from './change-record.ts'
import { nameToPut, normalizeName } from './name.ts'
import { requireHeld, requireMayGive, requireMayGiveAll, requireMayGiveRole } from './rights.ts'
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

  /** Whoever writes a role must have what it allows, and be able to give what it gives. */
  async function requireMayWrite(connection: Connection, actor: Actor, role: Role): Promise<void> {
    if (role.gives === '*') requireMayGiveAll(actor)
    const names = role.gives === '*' ? [] : (role.gives ?? [])
    const given = names.map((name, index) => ({ name, pointer: `/gives/${index}` }))
    const others = given.filter(({ name }) => name !== role.name)
    // The program itself may name roles that are made later.
    if (actor.rights !== 'everything') await refuseUnknown(connection, others)
    requireHeld(actor, role.authorities, (index) => `/authorities/${index}`)
    await requireMayGive(parts, connection, actor, others)
  }

  async function refuseUnknown(
    connection: Connection,
    named: readonly { readonly name: string; readonly pointer: string }[],
  ): Promise<void> {
    if (named.length === 0) return
    const known = new Set((await roles.list(connection)).map(({ name }) => name))
    const mistakes: Mistake[] = named
      .filter(({ name }) => !known.has(name))
      .map(({ name, pointer }) => ({
        pointer,
        detail: `There is no role named "${name}". Create it first, at /manage/roles.`,
      }))
    if (mistakes.length > 0) throw new AppError('DOCUMENT_INVALID', { mistakes })
  }

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
        await requireMayWrite(connection, actor, role)
        await insertNamed('role', name, roles.insert(connection, role))
        return { record: 'role', action: 'created', name, answer: role }
      })
    },

    async put(pathName, document, actor) {
      const { name: documentName, ...content } = parseDocument(roleToPutSchema, document)
      const name = nameToPut(pathName, documentName)
      const role = { name, ...content }
      return changeRecord(parts, actor, async (connection) => {
        const before = await roles.find(connection, name)
        if (before !== undefined) await requireMayGiveRole(parts, connection, actor, before)
        await requireMayWrite(connection, actor, role)
        const created = before === undefined
        const mayDeprive = before !== undefined && concernsAdministrators(parts, before)
        const hadAdministrator = mayDeprive && (await hasAdministrator(parts, connection))
        if (created) await insertNamed('role', name, roles.insert(connection, role))
        else await roles.update(connection, role)
        if (hadAdministrator) await requireAdministratorLeft(parts, connection)
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
        const role = await roles.find(connection, name)
        if (role === undefined) throw missingRecord('role', name)
        const users = await accounts.countWithRole(connection, name)
        if (users > 0) throw roleInUse(name, users)
        const giver = (await roles.list(connection)).find(
          (other) => other.name !== name && other.gives !== '*' && other.gives?.includes(name),
        )
        if (giver !== undefined) throw roleGiven(name, giver.name)
        await requireMayGiveRole(parts, connection, actor, role)
        await roles.remove(connection, name)
        return { record: 'role', action: 'deleted', name, answer: undefined }
      })
    },
  }
}

function roleGiven(name: string, giver: string): AppError {
  return new AppError('IN_USE', {
    detail: `The role "${giver}" names the role "${name}" in "gives". Take it out there first.`,
  })
}

function roleInUse(name: string, users: number): AppError {
  const accounts = users === 1 ? '1 account has' : `${users} accounts have`
  return new AppError('IN_USE', {
    detail: `${accounts} the role "${name}". Give them another role, or delete them, first.`,
  })
}
