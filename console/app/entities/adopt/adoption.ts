/** Tables that can become entities, and what the gateway says about that. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from '../../api/gateway.ts'
import type { components } from '../../api/gateway-api.d.ts'
import type { Mistake } from '../definition/mistakes.ts'
import { everyPage } from '../every-page.ts'

/** A table of the database that is no entity. */
export interface AdoptableTable {
  /** As it is named in an adoption: with its schema, if the product has schemas. */
  readonly name: string
  /** Its name in GraphQL. */
  readonly graphqlName: string
  readonly kind: 'table' | 'view'
  readonly comment: string | undefined
}

/** The definition that an adoption would store. */
export type EntityToAdopt = components['schemas']['EntityToAdopt']

type ReadableTable = components['schemas']['ReadableTable']

/** The tables that who is logged in may read; those of entities are among them. */
export const readableTablesQuery = queryOptions({
  queryKey: ['entities', 'tables'],
  queryFn: () => everyPage((query) => gateway.GET('/whoami/tables', { params: { query } })),
})

/** The definitions that an adoption of tables would store. */
export function planAdoption(tables: readonly string[]): Promise<readonly EntityToAdopt[]> {
  return adopt(tables, { dry_run: 'true' })
}

/** Makes entities of tables, of all or of none. */
export function adoptTables(tables: readonly string[]): Promise<readonly EntityToAdopt[]> {
  return adopt(tables, {})
}

function adopt(
  tables: readonly string[],
  query: { readonly dry_run?: 'true' },
): Promise<readonly EntityToAdopt[]> {
  const body = { tables: [...tables], definitions: [] }
  return dataOf(gateway.POST('/manage/entities/adopt', { params: { query }, body }))
}

/** The tables that are no entity. An entity has the name that its table has in GraphQL. */
export function adoptableTables(
  tables: readonly ReadableTable[],
  entities: ReadonlySet<string>,
): readonly AdoptableTable[] {
  return tables
    .filter(({ name, api }) => api === null && !entities.has(name))
    .map(({ name, table, schema, kind, comment }) => ({
      name: schema === undefined ? table : `${schema}.${table}`,
      graphqlName: name,
      kind,
      comment,
    }))
}

/** The reasons against an adoption by the table that they are about. */
export function reasonsByTable(
  mistakes: readonly Mistake[],
  tables: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, readonly string[]>()
  for (const { pointer, detail } of mistakes) {
    const [, index] = /^\/tables\/(\d+)/.exec(pointer) ?? []
    const table = index === undefined ? undefined : tables[Number(index)]
    if (table !== undefined) reasons.set(table, [...(reasons.get(table) ?? []), detail])
  }
  return reasons
}
