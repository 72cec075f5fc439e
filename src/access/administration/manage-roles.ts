import type * as v from 'valibot'
import type { Connection } from '../../database/driver.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import type { Precondition } from '../../http/etag.ts'
import type { PageRequest } from '../../store/page-request.ts'
import type { AccessParts } from '../access-parts.ts'
import { compileAuthority, type PatternSource } from '../authorization/authority.ts'
import { type ConditionedPaths, pathsOfAuthorities } from '../authorization/conditions-report.ts'
import { noPath } from '../authorization/path-automaton.ts'
import { isPattern, type Patterns } from '../authorization/patterns.ts'
import { conditionsOf } from '../authorization/record-conditions.ts'
import {
  requireHeld,
  requireMayGive,
  requireMayGiveAll,
  requireMayGiveRole,
} from '../authorization/rights.ts'
import { authorityLimit, compileRole, type Role, roleSchema, roleToPutSchema } from '../authorization/role.ts'
import type { Actor } from '../caller.ts'
import { nameToPut, normalizeName } from '../name.ts'
import { concernsAdministrators, hasAdministrator, requireAdministratorLeft } from './administrators.ts'
import { changesBetween } from './audit-changes.ts'
import { changeWithAudit, insertNamed, missingRecord, nameTaken } from './audited-change.ts'
import { type ListPage, pageQuery, readPage } from './list-page.ts'
import { type KnownCall, type RoleChange, type RoleEffects, roleEffects } from './role-effects.ts'
import { roleWarnings } from './role-warnings.ts'

/**
 * Reading and changing roles. Documents come unvalidated from clients. Where a change has a precondition, it is met by the role as
 * `find` gives it, as JSON, or the change throws PRECONDITION_FAILED; no one can change the role between.
 */
export interface RoleManagement {
  /** By name; the query selects the page. */
  list(query: unknown): Promise<ListPage<Role>>
  /** Every role, for parts of the program itself. */
  all(): Promise<readonly Role[]>
  find(name: string): Promise<Role>
  create(document: unknown, actor: Actor): Promise<Role>
  /** Creates or replaces. */
  put(
    name: string,
    document: unknown,
    actor: Actor,
    precondition?: Precondition,
  ): Promise<{ readonly role: Role; readonly created: boolean }>
  /**
   * What `create`, or with a name `put`, would do, without doing it; throws as they do, except LAST_ADMINISTRATOR. `calls`
   * are those to look at, and `more` says what else the change does.
   */
  plan<More extends object>(
    name: string | undefined,
    document: unknown,
    actor: Actor,
    look: {
      readonly calls: Iterable<KnownCall>
      more(change: RoleChange): Promise<More>
      readonly precondition?: Precondition
    },
  ): Promise<RoleEffects & More & PlannedRole>
  remove(name: string, actor: Actor, precondition?: Precondition): Promise<void>
  /** Warnings about what may be unintended in a role, in sentences. */
  warningsOf(role: Role): Promise<readonly string[]>
}

/** What is told of a role that would be written. */
interface PlannedRole {
  readonly role: Role
  readonly created: boolean
  /** Absent if there are none. */
  readonly warnings?: readonly string[]
}

/** The management of roles. */
export function createRoleManagement(parts: AccessParts): RoleManagement {
  const { store, patterns, directory, checkConditions } = parts
  const { roles, accounts } = store

  async function warningsOf(role: Role): Promise<readonly string[]> {
    const unintended = await roleWarnings(role, patterns)
    const { warnings } = await checkConditions(await conditionedIn(role, patterns))
    return [...unintended, ...warnings]
  }

  async function findStored(
    connection: Connection,
    name: string,
    precondition?: Precondition,
  ): Promise<Role> {
    const role = await roles.find(connection, name)
    if (role === undefined) throw missingRecord('role', name, precondition?.hasSeenRecord)
    precondition?.assert(JSON.stringify(role))
    return role
  }

  /** The role that a document replaces; undefined if it is a new one. */
  async function findReplaced(
    connection: Connection,
    name: string,
    precondition: Precondition | undefined,
  ): Promise<Role | undefined> {
    const role = await roles.find(connection, name)
    if (role === undefined && precondition?.hasSeenRecord) throw missingRecord('role', name, true)
    if (role !== undefined) precondition?.assert(JSON.stringify(role))
    return role
  }

  /** The actor must have the rights of the role, and be able to give what it gives. */
  async function requireMayWrite(connection: Connection, actor: Actor, role: Role): Promise<void> {
    if (role.gives === '*') requireMayGiveAll(actor)
    const names = role.gives === '*' ? [] : (role.gives ?? [])
    const given = names.map((name, index) => ({ name, pointer: `/gives/${index}` }))
    const others = given.filter(({ name }) => name !== role.name)
    // The program itself may name roles that are created later.
    if (actor.rights !== 'everything') await refuseUnknown(connection, others)
    requireHeld(actor, role, (index) => `/authorities/${index}`)
    await requireMayGive(parts, connection, actor, others, 'anyone')
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
    list(query) {
      const page = parseDocument(pageQuery, query, 'PARAMETER_INVALID')
      const read = (wanted: PageRequest) => store.read((connection) => roles.list(connection, wanted))
      return readPage(page, read, ({ name }) => name)
    },

    all: () => store.read((connection) => roles.list(connection)),

    async find(givenName) {
      const name = normalizeName(givenName)
      return store.read((connection) => findStored(connection, name))
    },

    async create(document, actor) {
      const role = await readRole(roleSchema, document, parts)
      const { name } = role
      return changeWithAudit(parts, actor, async (connection) => {
        await requireMayWrite(connection, actor, role)
        await insertNamed('role', name, roles.insert(connection, role))
        return {
          record: 'role',
          action: 'created',
          name,
          changes: changesBetween(undefined, role),
          answer: await findStored(connection, name),
        }
      })
    },

    async put(pathName, document, actor, precondition) {
      const { name: documentName, ...content } = await readRole(roleToPutSchema, document, parts)
      const name = nameToPut(pathName, documentName)
      const role = { name, ...content }
      return changeWithAudit(parts, actor, async (connection) => {
        const before = await findReplaced(connection, name, precondition)
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
          changes: changesBetween(before, role),
          answer: { role: await findStored(connection, name), created },
        }
      })
    },

    async plan(pathName, document, actor, { calls, more, precondition }) {
      const schema = pathName === undefined ? roleSchema : roleToPutSchema
      const { name: documentName, ...content } = await readRole(schema, document, parts)
      const name = pathName === undefined ? (documentName ?? '') : nameToPut(pathName, documentName)
      const role = { name, ...content }
      const before = await store.read(async (connection) => {
        const found = await findReplaced(connection, name, precondition)
        if (found !== undefined && pathName === undefined) throw nameTaken('role', name)
        if (found !== undefined) await requireMayGiveRole(parts, connection, actor, found)
        await requireMayWrite(connection, actor, role)
        return found
      })
      const snapshot = await directory.current()
      const after = compileRole(role, await patternsIn(role, patterns))
      const change: RoleChange = {
        before: snapshot.roles.get(name),
        after,
        snapshot,
        attributesOf: (username) => store.read((connection) => accounts.find(connection, username)),
      }
      const effects = await roleEffects(change, calls)
      const warnings = await warningsOf(role)
      const told = warnings.length === 0 ? {} : { warnings }
      return { role, created: before === undefined, ...told, ...effects, ...(await more(change)) }
    },

    warningsOf,

    async remove(givenName, actor, precondition) {
      const name = normalizeName(givenName)
      await changeWithAudit(parts, actor, async (connection) => {
        const role = await findStored(connection, name, precondition)
        const users = await accounts.countWithRole(connection, name)
        if (users > 0) throw roleInUse(name, users)
        const giver = (await roles.list(connection)).find(
          (other) => other.name !== name && other.gives !== '*' && other.gives?.includes(name),
        )
        if (giver !== undefined) throw roleGiven(name, giver.name)
        await requireMayGiveRole(parts, connection, actor, role)
        await roles.remove(connection, name)
        return {
          record: 'role',
          action: 'deleted',
          name,
          changes: changesBetween(role, undefined),
          answer: undefined,
        }
      })
    },
  }
}

function roleGiven(name: string, giver: string): AppError {
  return new AppError('IN_USE', {
    detail: `The role "${giver}" names the role "${name}" in "gives". Remove it there first.`,
  })
}

/** How many steps all patterns of a role may have together: each takes a few bytes, on every node. */
const stepLimit = 5_000_000

/** Parses a role; mistakes in its regular expressions are reported with all others. */
async function readRole<Schema extends typeof roleSchema | typeof roleToPutSchema>(
  schema: Schema,
  document: unknown,
  { patterns, checkConditions }: Pick<AccessParts, 'patterns' | 'checkConditions'>,
): Promise<v.InferOutput<Schema>> {
  let role: v.InferOutput<Schema> | undefined
  const mistakes: Mistake[] = []
  try {
    role = parseDocument(schema, document)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    mistakes.push(...error.mistakes)
  }
  const wrong = await wrongPatterns(regexesIn(document), patterns)
  if (role !== undefined && wrong.length === 0) {
    const { mistakes: unfit } = await checkConditions(await conditionedIn(role, patterns))
    if (unfit.length > 0) throw new AppError('DOCUMENT_INVALID', { mistakes: unfit })
    return role
  }
  for (const mistake of wrong) {
    const next = mistakes.findIndex(({ pointer }) => placeIn(pointer) >= placeIn(mistake.pointer))
    mistakes.splice(next === -1 ? mistakes.length : next, 0, mistake)
  }
  throw new AppError('DOCUMENT_INVALID', { mistakes })
}

async function patternsIn(
  { authorities }: Pick<Role, 'authorities'>,
  patterns: Patterns,
): Promise<PatternSource> {
  const compiled = await patterns.compile(authorities.map(({ regex }) => regex))
  return (regex) => {
    const pattern = compiled.get(regex)
    return isPattern(pattern) ? pattern : noPath
  }
}

async function conditionedIn(
  role: Pick<Role, 'authorities'>,
  patterns: Patterns,
): Promise<readonly ConditionedPaths[]> {
  if (role.authorities.every((authority) => conditionsOf(authority) === undefined)) return []
  const patternOf = await patternsIn(role, patterns)
  return [...pathsOfAuthorities(role.authorities.map((authority) => compileAuthority(authority, patternOf)))]
}

/** The index of the authority of a mistake; NaN if it is in none. */
function placeIn(pointer: string): number {
  return Number(/^\/authorities\/(\d+)/.exec(pointer)?.[1])
}

/** By the indexes of their authorities, as far as a document has any, up to the limit of a role. */
function regexesIn(document: unknown): readonly (readonly [place: number, regex: string])[] {
  const { authorities } = (document ?? {}) as { readonly authorities?: unknown }
  if (!Array.isArray(authorities) || authorities.length > authorityLimit) return []
  return authorities.flatMap((authority: { readonly regex?: unknown } | null, place) =>
    typeof authority?.regex === 'string' ? [[place, authority.regex] as const] : [],
  )
}

async function wrongPatterns(
  regexes: readonly (readonly [place: number, regex: string])[],
  patterns: Patterns,
): Promise<readonly Mistake[]> {
  const compiled = await patterns.compile(regexes.map(([, regex]) => regex))
  const mistakes = regexes.flatMap(([place, regex]): readonly Mistake[] => {
    const pattern = compiled.get(regex)
    if (pattern === undefined || isPattern(pattern)) return []
    return [{ pointer: `/authorities/${place}/regex`, detail: pattern.mistake }]
  })
  let steps = 0
  for (const pattern of compiled.values()) steps += isPattern(pattern) ? pattern.size : 0
  if (steps <= stepLimit) return mistakes
  const detail =
    'The regular expressions of this role are too large together when compiled; use fewer repetitions and smaller character classes.'
  return [...mistakes, { pointer: '/authorities', detail }]
}

function roleInUse(name: string, users: number): AppError {
  const accounts = users === 1 ? '1 account has' : `${users} accounts have`
  return new AppError('IN_USE', {
    detail: `${accounts} the role "${name}". Give them another role, or delete them, first.`,
  })
}
