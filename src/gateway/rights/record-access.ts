/**
 * What the caller of a request may do with records, where an authority of its roles or a public route has conditions.
 * Everything that leads to records asks here: published APIs by `entityFor`, GraphQL by `viewFor`.
 */
import { isDeepStrictEqual } from 'node:util'
import { graphqlPath, isAllowedOnRecords } from '../../access/authorization/authorize.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import type { CompiledRole } from '../../access/authorization/role.ts'
import type { Caller } from '../../access/caller.ts'
import type { Table } from '../../database/database-schema.ts'
import type { Dialect } from '../../database/dialect.ts'
import { AppError } from '../../errors/app-error.ts'
import type { SchemaView } from '../../graphql/schema-view.ts'
import type { SchemaSnapshot } from '../../graphql/snapshot.ts'
import type { Filter } from '../../query/filter.ts'
import { ruleVariables } from '../../query/rule-filter.ts'
import type { Variables } from '../../query/value-source.ts'
import type { DescribedEntity, WriteMethod } from '../../record/described-entity.ts'
import { noRows, type RecordRights } from '../../record/record-rights.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import type { Clock } from '../../util/clock.ts'
import type { ServedSchema } from '../served-schema.ts'
import { type GrantContext, type Granting, grantsOf, KnownGrants } from './grants.ts'
import { type GraphqlRights, graphqlRights } from './graphql-rights.ts'
import { type GraphqlWrites, KnownWrites } from './graphql-writes.ts'
import { readRightsFor } from './read-rights-for.ts'
import {
  allowing,
  allowingPart,
  allowingSomewhere,
  isAllowedCall,
  type RightsHolder,
  rolesOf,
} from './rights-holder.ts'
import { RuleTables } from './rule-tables.ts'

/** See the head of this file. */
export interface RecordAccess {
  /** The tables of the schema that is served. */
  tables(): RuleTables
  /** The entity with the rights of a caller who calls a method on a path below its API. */
  entityFor(holder: RightsHolder, method: string, path: string, entity: PublishedEntity): PublishedEntity
  /** The same for descriptions: with what a caller may do by some method on some path of the API. */
  describedFor(holder: RightsHolder, entity: PublishedEntity): DescribedEntity
  /** The entity with the rights of a caller to one call of its API. Throws ROLE_NOT_ALLOWED. */
  allowedFor(holder: RightsHolder, method: string, path: string, entity: PublishedEntity): PublishedEntity
  /** What a caller sees of the entities that it may ask for by a method on `/graphql`; all for undefined names. */
  viewFor(holder: RightsHolder, method: string, names: readonly string[] | undefined): Promise<CallerView>
}

/** A part of the schema, with the values that its rules name. */
export interface CallerView {
  readonly view: SchemaView
  readonly ruleVariables?: Variables
}

interface RecordAccessParts {
  readonly served: () => ServedSchema
  readonly dialect: Dialect
  readonly now: Clock
}

/** Creates it. */
export function createRecordAccess({ served, dialect, now }: RecordAccessParts): RecordAccess {
  const tablesOf = new WeakMap<ServedSchema, RuleTables>()
  const conditional = new WeakMap<readonly CompiledRole[], boolean>()
  const views = new KnownViews()
  const writes = new KnownWrites()
  const grants = new WeakMap<RuleTables, WeakMap<Caller['attributes'], KnownGrants>>()

  function haveConditions(roles: readonly CompiledRole[]): boolean {
    const known = conditional.get(roles)
    if (known !== undefined) return known
    const found = roles.some((role) => role.authorities.some(({ conditions }) => conditions !== undefined))
    conditional.set(roles, found)
    return found
  }

  function tables(): RuleTables {
    return inside(tablesOf, served(), () => new RuleTables(served()))
  }

  function contextFor(caller: RightsHolder['caller']): GrantContext {
    return { tables: tables(), dialect, caller: { account: { ...caller?.attributes }, now: now() } }
  }

  /** The same for one request of many: what was compiled for the same account before is used again. */
  function requestContextFor(caller: RightsHolder['caller']): GrantContext {
    const context = contextFor(caller)
    if (caller === undefined) return context
    const ofTables = inside(grants, context.tables, () => new WeakMap())
    return { ...context, known: inside(ofTables, caller.attributes, () => new KnownGrants()) }
  }

  /** Whether a caller may do everything by some calls, and no condition concerns it. */
  function isUnrestricted(holder: RightsHolder, calls: readonly Call[]): boolean {
    const { caller, publicRoutes } = holder
    if (caller === undefined) return publicRoutes?.haveConditions !== true
    if (haveConditions(caller.roles)) return false
    return calls.every(({ method, path }) => {
      const isOpenInPart = publicRoutes?.opensAt(method, path)?.conditions !== undefined
      return !isOpenInPart || isAllowedOnRecords(caller.roles, method, path)
    })
  }

  function entityFor(
    holder: RightsHolder,
    method: string,
    path: string,
    entity: PublishedEntity,
  ): PublishedEntity {
    const call = { method, path }
    const calls = isQueryOf(entity, call) ? [call, listOf(entity)] : [call]
    if (isUnrestricted(holder, calls)) return entity
    return withRights(holder, call, entity, requestContextFor(holder.caller))
  }

  function describedFor(holder: RightsHolder, entity: PublishedEntity): DescribedEntity {
    const { caller, publicRoutes } = holder
    const isConcerned = publicRoutes?.haveConditions === true || haveConditions(rolesOf(holder))
    if (!isConcerned) return { ...entity, rightsTo: () => undefined }
    return describedWith(holder, entity, contextFor(caller))
  }

  return {
    tables,
    entityFor,
    describedFor,

    allowedFor(holder, method, path, entity) {
      if (isAllowedCall(holder, method, path)) return entityFor(holder, method, path, entity)
      throw new AppError('ROLE_NOT_ALLOWED', { detail: `The role does not allow ${method} on ${path}.` })
    },

    async viewFor(holder, asked, names) {
      const { caller } = holder
      const { snapshot } = served()
      const method = asked === partMethod ? partMethod : 'GET'
      const opened = holder.publicRoutes?.opensAt(asked, graphqlPath)
      const isOpen = opened !== undefined && opened.conditions === undefined
      const isInPart =
        names !== undefined && holder.publicRoutes?.openParts(graphqlPath, snapshot.rightNames).haveConditions
      const known = writes.of(holder, snapshot, () => ({ snapshot, tables: tables(), describedFor }))
      const own = known instanceof Promise ? await known : known
      if (isOpen || (!isInPart && isUnrestricted(holder, [{ method: asked, path: graphqlPath }]))) {
        const view = names === undefined ? snapshot : await snapshot.only(names)
        return { view: own.views.get(view) ?? (await writingView(view, snapshot, own)) }
      }
      const context = contextFor(caller)
      const rights = await views.rightsFor(holder, snapshot, { method, names }, () =>
        graphqlRights(holder, method, names, context, snapshot),
      )
      const view = await snapshot.restricted(rights.byName, rights.shape, rights.names)
      return {
        view: own.views.get(view) ?? (await writingView(view, snapshot, own)),
        ruleVariables: ruleVariables(context.caller, rights.durations),
      }
    },
  }
}

async function writingView(
  view: SchemaView,
  snapshot: SchemaSnapshot,
  { byName, shape, views }: GraphqlWrites,
): Promise<SchemaView> {
  const writing = await snapshot.writing(view, byName, shape)
  views.set(view, writing)
  return writing
}

interface Call {
  readonly method: string
  readonly path: string
}

function listOf({ resource }: PublishedEntity): Call {
  return { method: 'GET', path: `/apis/${resource}` }
}

/** Whether a call is the one that takes the parameters of the list as a document. */
function isQueryOf(entity: PublishedEntity, { method, path }: Call): boolean {
  return method === 'POST' && path === `${listOf(entity).path}/query`
}

interface AskedView {
  readonly method: string
  readonly names: readonly string[] | undefined
}

/** What was found for a caller, as long as nothing changes that it depends on. */
interface KnownView {
  readonly names: readonly string[] | undefined
  readonly attributes: Caller['attributes'] | undefined
  readonly rights: GraphqlRights
}

/** The rights that were found last, by the schema, the public routes, the roles and the method. */
class KnownViews {
  readonly #views = new WeakMap<object, WeakMap<object, WeakMap<object, Map<string, KnownView>>>>()

  async rightsFor(
    holder: RightsHolder,
    snapshot: SchemaSnapshot,
    { method, names }: AskedView,
    find: () => Promise<GraphqlRights>,
  ): Promise<GraphqlRights> {
    const ofSnapshot = inside(this.#views, snapshot, () => new WeakMap())
    const ofRoutes = inside(ofSnapshot, holder.publicRoutes ?? noRoutes, () => new WeakMap())
    const ofRoles = inside(ofRoutes, rolesOf(holder), () => new Map<string, KnownView>())
    const before = ofRoles.get(method)
    const attributes = holder.caller?.attributes
    if (before !== undefined && before.names === names && isDeepStrictEqual(before.attributes, attributes)) {
      return before.rights
    }
    const rights = await find()
    ofRoles.set(method, { names, attributes, rights })
    return rights
  }
}

const noRoutes = {}

/** What a map has for a key; made if it has nothing. */
function inside<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function withRights(
  holder: RightsHolder,
  call: Call,
  entity: PublishedEntity,
  context: GrantContext,
): PublishedEntity {
  const { method, path } = call
  const isRead = method === 'GET' || method === 'HEAD' || isQueryOf(entity, call)
  const readers = allowing(holder, 'GET', method === 'POST' ? listOf(entity).path : path)
  const writers = isRead ? [] : allowing(holder, method, path)
  const readGrants = grantsOf(readers, entity.table, context)
  const writeGrants = grantsOf(writers, entity.table, context)
  const writesAll = !isRead && writers.some(({ conditions }) => conditions === undefined)
  // Who may write everything and read nothing is shown what it wrote, as without conditions.
  const read = writesAll && readers.length === 0 ? undefined : readRightsFor(readGrants, entity.table)
  const write = isRead || writesAll ? undefined : writeGrants.map((grant) => grant.write)
  const durations = [...readGrants, ...writeGrants].flatMap((grant) => grant.durations)
  const used = new Set(durations)
  return {
    ...entity,
    rights: {
      read,
      write,
      rowsOf: (table) => reachedRows(holder, table, { context, isStrict: write !== undefined, used }),
      variables: () => ruleVariables(context.caller, used),
    },
  }
}

const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

function describedWith(
  holder: RightsHolder,
  entity: PublishedEntity,
  context: GrantContext,
): DescribedEntity {
  const { path } = listOf(entity)
  const some = (methods: readonly string[]) => allowingSomewhere(holder, methods, path)
  const readers = some(['GET'])
  const isUnconditional = ({ conditions }: Granting) => conditions === undefined
  const isWrittenOnly = some(writeMethods).some(isUnconditional) && readers.length === 0
  const read = isWrittenOnly
    ? undefined
    : readRightsFor(grantsOf(readers, entity.table, context), entity.table)
  const rightsTo = (methods: readonly WriteMethod[]): RecordRights => {
    const writers = some(methods)
    const write = writers.some(isUnconditional)
      ? undefined
      : grantsOf(writers, entity.table, context).map((grant) => grant.write)
    return { read, write, rowsOf: () => undefined, variables: () => ({}) }
  }
  return { ...entity, rights: rightsTo(writeMethods), rightsTo: (method) => rightsTo([method]) }
}

/** The rows of a table that a caller reaches by one of its APIs; all, if no authority with conditions is concerned. */
function reachedRows(
  holder: RightsHolder,
  table: Table,
  {
    context,
    isStrict,
    used,
  }: {
    readonly context: GrantContext
    readonly isStrict: boolean
    readonly used: Set<string>
  },
): Filter | undefined {
  const published = context.tables.publishedOf(table)
  const name = context.tables.entityOf(table)?.name
  const granting = [
    ...(published === undefined ? [] : allowing(holder, 'GET', listOf(published).path)),
    ...(name === undefined ? [] : allowingPart(holder, name)),
    ...allowing(holder, partMethod, graphqlPath),
  ]
  if (granting.length === 0) return isStrict ? noRows : undefined
  const grants = grantsOf(granting, table, context)
  for (const grant of grants) for (const duration of grant.durations) used.add(duration)
  return readRightsFor(grants, table)?.table.rows
}
