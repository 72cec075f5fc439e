/** The tables and views that a caller may read or add records to, through GraphQL or a published API. */
import * as v from 'valibot'
import type { Access } from '../access/access.ts'
import { missingRecord } from '../access/administration/audited-change.ts'
import { type ListPage, pageParameters, readPage } from '../access/administration/list-page.ts'
import type { Caller } from '../access/caller.ts'
import { tableKeyOf } from '../database/table-names.ts'
import { oneOf, strictObject } from '../documents/document-schema.ts'
import { parseDocument } from '../documents/parse-document.ts'
import { invariant } from '../errors/invariant.ts'
import type { EntityType, GraphqlModel } from '../graphql/model/model.ts'
import { hasTotals } from '../graphql/schema/has-totals.ts'
import type { Reach } from '../http/reach.ts'
import { type DescribedEntity, mayCreateSome } from '../record/described-entity.ts'
import { isReadable } from '../record/record-rights.ts'
import { isForeign, type PublishedEntity } from '../record/record-rules.ts'
import { mapInSlices, TimeSlices } from '../util/time-slices.ts'
import { describeContent, type TableContent } from './describe-table.ts'
import type { RecordAccess } from './rights/record-access.ts'
import type { ServedSchema } from './served-schema.ts'

/** A table or view that a caller may read, or in which it may create records. */
interface ReadableTable {
  /** In GraphQL. */
  readonly name: string
  /** Its name in the database. */
  readonly table: string
  /** Its schema there; absent if the product has none. */
  readonly schema?: string
  readonly kind: 'table' | 'view'
  readonly comment?: string
  /** Whether the caller may read it through GraphQL. */
  readonly graphql: boolean
  /** The name of its entity; null if it has none. */
  readonly entity: string | null
  /** The published API of the entity; null if it has none. */
  readonly api: ReadableApi | null
}

/** A published API, with the methods that a caller may use. */
interface ReadableApi {
  /** Its path. */
  readonly path: string
  /** On the list. */
  readonly list: readonly string[]
  /** On some record. */
  readonly record: readonly string[]
}

/** The same with what the address of a record is made of. */
interface WholeReadableApi extends ReadableApi {
  /** Names of fields in the API. */
  readonly key: readonly string[]
  /** Whether the table is adopted: in the address of a record, special characters of the key are then escaped. */
  readonly adopted: boolean
}

/** The same with its parts. */
interface WholeReadableTable extends Omit<ReadableTable, 'api'>, TableContent {
  /** Whether the caller may compute counts and totals of it through GraphQL: not where the schema has none. */
  readonly totals: boolean
  readonly api: WholeReadableApi | null
}

/** Reads the tables of a caller. */
export interface ReadableTables {
  /** By name; the query selects the page. */
  list(query: unknown, caller: Caller): Promise<ListPage<ReadableTable | WholeReadableTable>>
  /** Throws RECORD_NOT_FOUND for a table that is not in the caller's list, as for one that does not exist. */
  find(name: string, caller: Caller): Promise<WholeReadableTable>
}

interface ReadableTableParts {
  readonly access: Pick<Access, 'reachOf' | 'partsOf' | 'publicRoutes'>
  readonly served: () => Pick<ServedSchema, 'snapshot' | 'published' | 'entitiesByTable'>
  readonly recordAccess: Pick<RecordAccess, 'viewFor' | 'describedFor'>
}

/** The parameters of the list. */
export const readableTablesQuery = strictObject({
  ...pageParameters,
  whole: v.pipe(
    v.optional(oneOf(['true', 'false', '']), 'false'),
    v.transform((text) => text !== 'false'),
    v.description('Whether each table comes with its fields and relations.'),
  ),
  q: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200),
      v.description(
        'A part of a name: in GraphQL, in the database or of the entity, in any case. One that begins with a slash is a part of the path of its API, too.',
      ),
    ),
    '',
  ),
})

/** Reads from the served schema what roles and public routes allow. */
export function createReadableTables(parts: ReadableTableParts): ReadableTables {
  return {
    async list(query, caller) {
      const { q, whole: isWhole, ...page } = parseDocument(readableTablesQuery, query, 'PARAMETER_INVALID')
      const view = await viewFor(caller, parts)
      const read = ({ limit, after = '' }: { limit: number; after?: string | undefined }) =>
        findTables(view, { q: q.toLowerCase(), after, limit })
      const found = await readPage(page, read, ({ name }) => name)
      if (!isWhole) return found
      return { ...found, items: await mapInSlices(found.items, (table) => wholeTable(table, view)) }
    },
    async find(name, caller) {
      const view = await viewFor(caller, parts)
      const entity = view.model.entities.get(name)
      const found = entity && readableTable(entity, view)
      if (entity === undefined || found === undefined) throw missingRecord('table', name)
      return wholeTable(found, view)
    },
  }
}

/** A readable table with its parts. */
function wholeTable(found: ReadableTable, view: View): WholeReadableTable {
  const entity = view.model.entities.get(found.name)
  invariant(entity !== undefined, `the table ${found.name} is served`)
  const published = view.describedOver(entity.table.id)
  const seen = {
    isTable: (other: string) => isReadableLike(found, other, view),
    isColumn: (other: string, column: string) => view.columnsOf(other).has(column),
  }
  const api =
    found.api && published ? { ...found.api, key: published.rules.key, adopted: isForeign(published) } : null
  const totals = view.hasTotals(found.name)
  return { ...found, totals, api, ...describeContent(entity, view.model, published, seen) }
}

/** What is served, and what a caller may read of it. */
interface View {
  readonly model: GraphqlModel
  readonly entityOf: (table: EntityType['table']) => string | undefined
  /** By the id of the table. */
  readonly publishedOver: ReadonlyMap<string, PublishedEntity>
  readonly reach: Reach
  readonly isInGraphql: (name: string) => boolean
  readonly hasTotals: (name: string) => boolean
  /** The published entity with the caller's rights, by the id of the table. */
  readonly describedOver: (tableId: string) => DescribedEntity | undefined
  /** The names of the columns that the caller may read, in the way in which it reads the table. */
  readonly columnsOf: (name: string) => ReadonlySet<string>
}

async function viewFor(caller: Caller, parts: ReadableTableParts): Promise<View> {
  const { access, served, recordAccess } = parts
  const { snapshot, published, entitiesByTable } = served()
  const { model, rightNames } = snapshot
  const allowed = await access.partsOf(caller, { method: 'POST', path: '/graphql' }, rightNames)
  const publishedOver = new Map([...published.values()].map((entity) => [entity.table.id, entity]))
  const reach = await access.reachOf(caller)
  const holder = { caller, publicRoutes: await access.publicRoutes() }
  const { model: callers, graphqlSchema } = (await recordAccess.viewFor(holder, 'POST', allowed)).view
  const describedOver = remembered((tableId: string) => {
    const entity = publishedOver.get(tableId)
    return entity && recordAccess.describedFor(holder, entity)
  })
  return {
    model,
    entityOf: (table) => entitiesByTable.get(tableKeyOf(table))?.name,
    publishedOver,
    reach,
    isInGraphql: (name) => callers.entities.has(name),
    hasTotals: (name) => hasTotals(graphqlSchema, name),
    describedOver,
    columnsOf: remembered((name) => {
      const inGraphql = callers.entities.get(name)
      if (inGraphql !== undefined)
        return new Set([...inGraphql.filterable.columns.values()].map((column) => column.name))
      const table = model.entities.get(name)?.table
      const described = table && describedOver(table.id)
      const api = described && readableApi(described, reach)
      const isInApi = api !== undefined && (api.list.length > 0 || api.record.includes('GET'))
      const columns = isInApi ? [...(table?.columns.keys() ?? [])] : []
      return new Set(columns.filter((column) => isReadable(described?.rights, column)))
    }),
  }
}

/** The function with its results kept. */
function remembered<Value>(find: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    const value = known.get(key) ?? find(key)
    known.set(key, value)
    return value
  }
}

interface Search {
  /** In lower case. */
  readonly q: string
  readonly after: string
  readonly limit: number
}

/** In time slices, since authorities are regular expressions. */
async function findTables(view: View, { q, after, limit }: Search): Promise<readonly ReadableTable[]> {
  const slices = new TimeSlices()
  const later = [...view.model.entities.values()].filter(({ name }) => name > after)
  const found: ReadableTable[] = []
  for (const entity of later.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length === limit) break
    if (slices.isOver) await slices.next()
    const { name, table } = entity
    const published = view.publishedOver.get(table.id)
    const path = published !== undefined && q.startsWith('/') ? pathOf(published) : ''
    const texts = [name, table.name, view.entityOf(table) ?? '', path]
    const readable = texts.some((text) => text.toLowerCase().includes(q)) && readableTable(entity, view)
    if (readable) found.push(readable)
  }
  return found
}

/** Undefined if the caller may neither read it nor create records in it. */
function readableTable({ name, table }: EntityType, view: View): ReadableTable | undefined {
  const described = view.describedOver(table.id)
  const api = described === undefined ? null : readableApi(described, view.reach)
  const graphql = view.isInGraphql(name)
  if (!mayRead({ graphql, api }) && !api?.list.includes('POST')) return undefined
  return {
    name,
    table: table.name,
    ...(table.schema === undefined ? {} : { schema: table.schema }),
    kind: table.kind,
    ...(table.comment === undefined ? {} : { comment: table.comment }),
    graphql,
    entity: view.entityOf(table) ?? null,
    api,
  }
}

/** Whether a caller may read another table in the way in which it reads one: relations lead no further. */
function isReadableLike({ graphql }: ReadableTable, other: string, view: View): boolean {
  if (graphql) return view.isInGraphql(other)
  const entity = view.model.entities.get(other)
  const table = entity && readableTable(entity, view)
  return table !== undefined && mayRead(table)
}

function mayRead({ graphql, api }: Pick<ReadableTable, 'graphql' | 'api'>): boolean {
  return graphql || api?.list.includes('GET') === true || api?.record.includes('GET') === true
}

const listMethods = ['GET', 'POST'] as const
const recordMethods = ['GET', 'PUT', 'PATCH', 'DELETE'] as const

function pathOf({ resource }: Pick<PublishedEntity, 'resource'>): string {
  return `/apis/${resource}`
}

function readableApi(entity: DescribedEntity, reach: Reach): ReadableApi {
  const path = pathOf(entity)
  return {
    path,
    list: listMethods.filter(
      (method) =>
        (reach.mayCall(method, path) || reach.anybody.mayCall(method, path)) &&
        (method !== 'POST' || mayCreateSome(entity)),
    ),
    record: recordMethods.filter(
      (method) => reach.mayCallBelow(method, path) || reach.anybody.mayCallBelow(method, path),
    ),
  }
}
