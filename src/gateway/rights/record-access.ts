/**
 * What the caller of a request may do with records, where an authority of its roles has conditions. Everything that leads
 * to records asks here: published APIs by `entityFor`, GraphQL by `viewFor`.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CompiledAuthority } from '../../access/authorization/authority.ts'
import { includesMethod } from '../../access/authorization/method.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import type { CompiledRole } from '../../access/authorization/role.ts'
import type { Caller } from '../../access/caller.ts'
import type { Table } from '../../database/database-schema.ts'
import type { Dialect } from '../../database/dialect.ts'
import type { EntityRights } from '../../graphql/model/restrict-model.ts'
import type { SchemaSnapshot, SchemaView } from '../../graphql/snapshot.ts'
import type { Filter } from '../../query/filter.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import { ruleVariables } from '../../query/rule-filter.ts'
import type { Variables } from '../../query/value-source.ts'
import type { DescribedEntity, WriteMethod } from '../../record/described-entity.ts'
import { noRows, type RecordRights, readRightsOf } from '../../record/record-rights.ts'
import { addressColumns, type PublishedEntity, rowKeyOf } from '../../record/record-rules.ts'
import type { Clock } from '../../util/clock.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { ServedSchema } from '../served-schema.ts'
import { type Grant, type GrantContext, grantsOf } from './grants.ts'
import { RuleTables } from './rule-tables.ts'

/** See the head of this file. */
export interface RecordAccess {
  /** The entity with the rights of a caller who calls a method on a path below its API. */
  entityFor(
    caller: Caller | undefined,
    method: string,
    path: string,
    entity: PublishedEntity,
  ): PublishedEntity
  /** The same for descriptions: with what a caller may do by some method on some path of the API. */
  describedFor(caller: Caller | undefined, entity: PublishedEntity): DescribedEntity
  /** What a caller sees of the entities that it may ask for by a method on `/graphql`; all for undefined names. */
  viewFor(
    caller: Caller | undefined,
    method: string,
    names: readonly string[] | undefined,
  ): Promise<CallerView>
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

const graphqlPath = '/graphql'

/** Creates it. */
export function createRecordAccess({ served, dialect, now }: RecordAccessParts): RecordAccess {
  const tablesOf = new WeakMap<SchemaSnapshot, RuleTables>()
  const conditional = new WeakMap<readonly CompiledRole[], boolean>()
  const views = new WeakMap<SchemaSnapshot, WeakMap<readonly CompiledRole[], Map<string, KnownView>>>()

  function hasConditions(roles: readonly CompiledRole[]): boolean {
    const known = conditional.get(roles)
    if (known !== undefined) return known
    const found = roles.some((role) => role.authorities.some(({ conditions }) => conditions !== undefined))
    conditional.set(roles, found)
    return found
  }

  function contextFor({ attributes }: Caller): GrantContext {
    const { snapshot } = served()
    const tables = tablesOf.get(snapshot) ?? new RuleTables(snapshot.model)
    tablesOf.set(snapshot, tables)
    return { tables, dialect, caller: { account: { ...attributes }, now: now() } }
  }

  return {
    entityFor(caller, method, path, entity) {
      if (caller === undefined || !hasConditions(caller.roles)) return entity
      return withRights(caller, method, path, entity, contextFor(caller), served())
    },

    describedFor(caller, entity) {
      if (caller === undefined || !hasConditions(caller.roles))
        return { ...entity, rightsTo: () => undefined }
      return describedWith(caller, entity, contextFor(caller))
    },

    async viewFor(caller, method, names) {
      const { snapshot } = served()
      if (caller === undefined || !hasConditions(caller.roles)) {
        return { view: names === undefined ? snapshot : await snapshot.only(names) }
      }
      const context = contextFor(caller)
      const ofSnapshot = views.get(snapshot) ?? new WeakMap()
      views.set(snapshot, ofSnapshot)
      const ofCaller: Map<string, KnownView> = ofSnapshot.get(caller.roles) ?? new Map()
      ofSnapshot.set(caller.roles, ofCaller)
      const key = method === partMethod ? partMethod : 'GET'
      const before = ofCaller.get(key)
      const isSame =
        before !== undefined &&
        before.names === names &&
        isDeepStrictEqual(before.attributes, caller.attributes)
      const rights = isSame ? before.rights : await graphqlRights(caller, key, names, context, snapshot)
      if (!isSame) ofCaller.set(key, { names, attributes: caller.attributes, rights })
      return {
        view: await snapshot.restricted(rights.byName, rights.shape, rights.names),
        ruleVariables: ruleVariables(context.caller, rights.durations),
      }
    },
  }
}

/** What was found for a caller, as long as nothing changes that it depends on. */
interface KnownView {
  readonly names: readonly string[] | undefined
  readonly attributes: Caller['attributes']
  readonly rights: GraphqlRights
}

interface GraphqlRights {
  readonly byName: ReadonlyMap<string, EntityRights>
  /** The entities on which something is granted. */
  readonly names: readonly string[]
  readonly shape: string
  readonly durations: readonly string[]
}

async function graphqlRights(
  { roles }: Caller,
  method: string,
  names: readonly string[] | undefined,
  context: GrantContext,
  { entityNames, model }: SchemaSnapshot,
): Promise<GraphqlRights> {
  const byName = new Map<string, EntityRights>()
  const granted: string[] = []
  const shapes: unknown[] = []
  const durations = new Set<string>()
  const slices = new TimeSlices()
  const onWhole = allowing(roles, method, graphqlPath)
  for (const asked of names ?? entityNames) {
    if (slices.isOver) await slices.next()
    const name = model.earlierNames.get(asked) ?? asked
    const entity = model.entities.get(name)
    if (entity === undefined) continue
    const parts = [name, ...earlierOf(name, model.earlierNames)]
    const byPart = parts.flatMap((part) => allowing(roles, partMethod, `${graphqlPath}/${part}`))
    const grants = grantsOf([...new Set([...onWhole, ...byPart])], entity.table, context)
    if (grants.length === 0) continue
    granted.push(name)
    const rights = rightsOf(grants, entity.table, keyColumnsOf(entity.table))
    if (rights === undefined) continue
    byName.set(name, rights)
    shapes.push([name, ...grants.map(({ shape }) => shape)])
    for (const grant of grants) for (const duration of grant.durations) durations.add(duration)
  }
  return { byName, names: granted, shape: JSON.stringify(shapes), durations: [...durations] }
}

function earlierOf(name: string, earlierNames: ReadonlyMap<string, string>): readonly string[] {
  return [...earlierNames].flatMap(([earlier, now]) => (now === name ? [earlier] : []))
}

function withRights(
  { roles }: Caller,
  method: string,
  path: string,
  entity: PublishedEntity,
  context: GrantContext,
  schema: ServedSchema,
): PublishedEntity {
  const list = `/apis/${entity.resource}`
  const isRead = method === 'GET' || method === 'HEAD' || path === `${list}/query`
  const readPath = method === 'POST' || (isRead && path === `${list}/query`) ? list : path
  const readers = allowing(roles, 'GET', readPath)
  const writers = isRead ? [] : allowing(roles, method, path)
  const readGrants = grantsOf(readers, entity.table, context)
  const writeGrants = grantsOf(writers, entity.table, context)
  const writesAll = !isRead && writers.some(({ conditions }) => conditions === undefined)
  // Who may write everything and read nothing is shown what it wrote, as without conditions.
  const read =
    writesAll && readers.length === 0
      ? undefined
      : rightsOf(readGrants, entity.table, [...addressColumns(entity), ...rowKeyOf(entity)])
  const write = isRead || writesAll ? undefined : writeGrants.map((grant) => grant.write)
  const durations = [...readGrants, ...writeGrants].flatMap((grant) => grant.durations)
  const used = new Set(durations)
  return {
    ...entity,
    rights: {
      read,
      write,
      rowsOf: (table) => reachedRows(roles, table, { context, schema, isStrict: write !== undefined, used }),
      get variables() {
        return ruleVariables(context.caller, used)
      },
    },
  }
}

const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

function describedWith({ roles }: Caller, entity: PublishedEntity, context: GrantContext): DescribedEntity {
  const path = `/apis/${entity.resource}`
  const some = (methods: readonly string[]) =>
    roles.flatMap(({ authorities }) =>
      authorities.filter(
        ({ matches, methods: own }) =>
          methods.some((method) => includesMethod(own, method)) && (matches(path) || matches.below(path)),
      ),
    )
  const readers = some(['GET'])
  const isUnconditional = ({ conditions }: CompiledAuthority) => conditions === undefined
  const readsNothing = some(writeMethods).some(isUnconditional) && readers.length === 0
  const read = readsNothing
    ? undefined
    : rightsOf(grantsOf(readers, entity.table, context), entity.table, addressColumns(entity))
  const rightsTo = (methods: readonly WriteMethod[]): RecordRights => {
    const writers = some(methods)
    const write = writers.some(isUnconditional)
      ? undefined
      : grantsOf(writers, entity.table, context).map((grant) => grant.write)
    return { read, write, rowsOf: () => undefined, variables: {} }
  }
  return { ...entity, rights: rightsTo(writeMethods), rightsTo: (method) => rightsTo([method]) }
}

function rightsOf(
  grants: readonly Grant[],
  table: Table,
  key: readonly { readonly name: string }[],
): EntityRights | undefined {
  const names = new Set(key.map(({ name }) => name))
  return readRightsOf(
    grants.map(({ read }) => read),
    table.columns.keys(),
    names,
  )
}

/** The rows of a table that a caller reaches by one of its APIs; all, if no authority with conditions is concerned. */
function reachedRows(
  roles: readonly CompiledRole[],
  table: Table,
  {
    context,
    schema,
    isStrict,
    used,
  }: {
    readonly context: GrantContext
    readonly schema: ServedSchema
    readonly isStrict: boolean
    readonly used: Set<string>
  },
): Filter | undefined {
  const published = [...schema.published.values()].find((entity) => entity.table.id === table.id)
  const name = context.tables.entityOf(table)?.name
  const authorities = [
    ...(published === undefined ? [] : allowing(roles, 'GET', `/apis/${published.resource}`)),
    ...(name === undefined ? [] : allowing(roles, partMethod, `${graphqlPath}/${name}`)),
    ...allowing(roles, partMethod, graphqlPath),
  ]
  if (authorities.length === 0) return isStrict ? noRows : undefined
  const grants = grantsOf(authorities, table, context)
  for (const grant of grants) for (const duration of grant.durations) used.add(duration)
  return rightsOf(grants, table, [])?.table.rows
}

/** The authorities that match a method on a path, with and without conditions. */
function allowing(
  roles: readonly CompiledRole[],
  method: string,
  path: string,
): readonly CompiledAuthority[] {
  return roles.flatMap(({ authorities }) => authorities.filter((authority) => authority.allows(method, path)))
}
