/** Reading entities. Everything that is read of them is kept below one key. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'
import { everyPage } from './every-page.ts'

/** An entity as the gateway shows it. */
export type Entity = components['schemas']['Entity']

/** What a list shows of an entity. */
export interface EntitySummary {
  readonly name: string
  /** The path of its published API; null if there is none. */
  readonly resource: string | null
  readonly fieldCount: number
  /** Whether another program made its table. */
  readonly isAdopted: boolean
  readonly changedAt: string
  readonly changedBy: string
}

const key = 'entities'

/** All entities, by name. */
export const entityListQuery = queryOptions({
  queryKey: [key, 'list'],
  queryFn: readEntities,
})

/** An entity with its drift. */
export const entityQuery = (name: string) =>
  queryOptions({
    queryKey: [key, 'one', name],
    queryFn: () => dataOf(gateway.GET('/manage/entities/{name}', { params: { path: { name } } })),
  })

/** The entities whose tables differ from their definitions. */
export const driftQuery = queryOptions({
  queryKey: [key, 'drift'],
  queryFn: () => dataOf(gateway.GET('/manage/drift')),
})

/** The versions of an entity, newest first; those of a deleted one, too. */
export const versionsQuery = (name: string) =>
  queryOptions({
    queryKey: [key, 'versions', name],
    queryFn: () => dataOf(gateway.GET('/manage/entities/{name}/versions', { params: { path: { name } } })),
  })

/** A version with its definition. A version never changes. */
export const versionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: [key, 'version', name, version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      dataOf(
        gateway.GET('/manage/entities/{name}/versions/{version}', {
          params: { path: { name, version: String(version) } },
        }),
      ),
  })

/** What differs between two versions. */
export const differenceQuery = (name: string, from: number, to: number) =>
  queryOptions({
    queryKey: [key, 'difference', name, from, to],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      dataOf(
        gateway.GET('/manage/entities/{name}/versions/{version}/diff', {
          params: { path: { name, version: String(from) }, query: { to: String(to) } },
        }),
      ),
  })

/** What was read may have changed with the tables, in any area. */
export async function forgetTables(client: QueryClient): Promise<void> {
  await client.invalidateQueries()
}

/** An entity is no longer there under its name. */
export function forgetEntity(client: QueryClient, name: string): void {
  client.removeQueries({ queryKey: entityQuery(name).queryKey })
}

async function readEntities(): Promise<readonly EntitySummary[]> {
  const entities = await everyPage((query) =>
    gateway.GET('/manage/entities', { params: { query: { ...query, definition: 'false' } } }),
  )
  return entities.map(({ name, resource, field_count = 0, adopted = false, changed_at, changed_by }) => ({
    name,
    resource,
    fieldCount: field_count,
    isAdopted: adopted,
    changedAt: changed_at,
    changedBy: changed_by,
  }))
}
