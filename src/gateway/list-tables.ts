/** `/manage/tables`: the tables and views of the database as they are served, from what the schema knows of them. */
import * as v from 'valibot'
import { missingRecord } from '../access/administration/audited-change.ts'
import { type ListPage, pageParameters, readPage } from '../access/administration/list-page.ts'
import type { Database } from '../database/dialect.ts'
import { tableKeyOf } from '../database/table-names.ts'
import { oneOf, strictObject } from '../documents/document-schema.ts'
import { parseDocument } from '../documents/parse-document.ts'
import { reasonsAgainstAdoption } from '../entity/adopt/adopt-tables.ts'
import type { EntityType, GraphqlModel } from '../graphql/model/model.ts'
import { scalarOfColumn } from '../graphql/model/type-mapping.ts'
import type { Clock } from '../util/clock.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { fieldNamesOf, oppositeName } from './describe-table.ts'
import type { SchemaService } from './serve-schema.ts'
import type { ServedSchema } from './served-schema.ts'

export interface TableListParts {
  readonly database: Database
  readonly schema: Pick<SchemaService, 'current'>
  readonly now: Clock
}

/** The tables that are served. */
export interface TableList {
  /** By GraphQL name; the query selects the page. */
  list(query: unknown): Promise<ListPage<ShownTable>>
  /** Throws RECORD_NOT_FOUND. */
  find(name: string): Promise<ShownTable>
}

/** A table as it is shown. */
type ShownTable = ReturnType<typeof shownTable>

/** The query of the list. */
export const tableListQuery = strictObject({
  ...pageParameters,
  q: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200),
      v.description('A part of the GraphQL name or of the name in the database, in any case.'),
    ),
  ),
  kind: v.optional(oneOf(['table', 'view'])),
  entity: v.pipe(
    v.optional(oneOf(['true', 'false'])),
    v.description('Whether the table is that of an entity.'),
  ),
})

/** How long estimates of rows are used again, in milliseconds. */
const estimatesMs = 30_000

type Estimates = ReadonlyMap<string, number>

/** The list of tables; estimates of rows are read at most every half minute. */
export function createTableList({ database, schema, now }: TableListParts): TableList {
  let kept: { readonly until: number; readonly estimates: Promise<Estimates> } | undefined

  function estimates(): Promise<Estimates> {
    const time = now().getTime()
    if (kept !== undefined && time < kept.until) return kept.estimates
    const read = database.driver
      .read((connection) => database.dialect.estimateRows(connection), { workload: 'records' })
      // Without its statistics a table can be shown all the same.
      .catch((): Estimates => new Map())
    kept = { until: time + estimatesMs, estimates: read }
    return read
  }

  async function shown(entities: readonly EntityType[]): Promise<readonly ShownTable[]> {
    const served = schema.current()
    const rows = await estimates()
    return mapInSlices(entities, (entity) => shownTable(entity, served, rows, database))
  }

  return {
    async list(query) {
      const { q, kind, entity, ...page } = parseDocument(tableListQuery, query, 'PARAMETER_INVALID')
      const { snapshot, entitiesByTable } = schema.current()
      const wanted = q?.toLowerCase() ?? ''
      const found = [...snapshot.model.entities.values()]
        .filter(({ table }) => kind === undefined || table.kind === kind)
        .filter(
          ({ table }) =>
            entity === undefined || entitiesByTable.has(tableKeyOf(table)) === (entity === 'true'),
        )
        .filter(({ name, table }) => `${name}\n${fullName(table)}`.toLowerCase().includes(wanted))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
      const read = async ({ limit, after = '' }: { limit: number; after?: string | undefined }) =>
        found.filter(({ name }) => name > after).slice(0, limit)
      const selected = await readPage(page, read, ({ name }) => name)
      return { ...selected, items: await shown(selected.items) }
    },
    async find(name) {
      const entity = schema.current().snapshot.model.entities.get(name)
      if (entity === undefined) throw missingRecord('table', name)
      const [only] = await shown([entity])
      if (only === undefined) throw missingRecord('table', name)
      return only
    },
  }
}

function fullName({ schema, name }: Pick<EntityType['table'], 'schema' | 'name'>): string {
  return schema === undefined ? name : `${schema}.${name}`
}

function shownTable(entity: EntityType, served: ServedSchema, rows: Estimates, { dialect }: Database) {
  const { name, table } = entity
  const { model, databaseSchema } = served.snapshot
  const own = served.entitiesByTable.get(tableKeyOf(table))
  const isElsewhere = table.schema !== undefined && table.schema !== databaseSchema.schemas?.[0]
  const reasons =
    own === undefined ? reasonsAgainstAdoption(table, { name, elsewhere: isElsewhere, ddl: dialect.ddl }) : []
  return {
    name,
    table: table.name,
    schema: table.schema ?? null,
    kind: table.kind,
    comment: table.comment ?? null,
    columns: shownColumns(entity),
    primary_key: table.primaryKey,
    unique_keys: table.uniqueKeys,
    ...shownRelations(entity, model),
    entity: own?.name ?? null,
    resource: own?.resource === undefined ? null : `/apis/${own.resource}`,
    adopted: own?.isAdopted ?? false,
    adoption:
      own === undefined
        ? { possible: reasons.length === 0, name: isElsewhere ? fullName(table) : table.name, reasons }
        : null,
    estimated_rows: rows.get(table.id) ?? null,
  }
}

function shownColumns(entity: EntityType) {
  const { table } = entity
  const fieldOf = fieldNamesOf(entity)
  return [...table.columns.values()].map((column) => ({
    name: column.name,
    field: fieldOf.get(column.name) ?? null,
    type: column.nativeType,
    graphql_type: scalarOfColumn[column.type],
    nullable: column.nullable,
    has_default: column.hasDefault,
    read_only: column.written === 'never',
    comment: column.comment ?? null,
  }))
}

function shownRelations({ fields }: EntityType, model: GraphqlModel) {
  const relations = [...fields.values()].flatMap((field) => (field.kind === 'scalar' ? [] : [field]))
  const names = (columns: readonly { readonly name: string }[]) => columns.map((column) => column.name)
  return {
    foreign_keys: relations
      .filter(({ kind }) => kind === 'reference')
      .map((field) => ({
        field: field.name,
        columns: names(field.link.own),
        references: { table: field.target, columns: names(field.link.other) },
        collection: oppositeName(field, model) ?? null,
      })),
    collections: relations
      .filter(({ kind }) => kind === 'collection')
      .map((field) => ({
        field: field.name,
        columns: names(field.link.own),
        referenced_by: { table: field.target, columns: names(field.link.other) },
        reference: oppositeName(field, model) ?? null,
      })),
  }
}
