/** Rows as they are read, whether through GraphQL or a published API. */
import { callGateway } from '../api/gateway.ts'
import { runGraphql } from '../api/graphql.ts'
import { apiPathOf, base64url, lastPartOf } from './record-address.ts'
import { countDocument, type ListArguments, recordDocument, rowsDocument } from './row-documents.ts'
import type { Relation, Table } from './tables.ts'

/** A row of a table. */
export interface Row {
  /** The last part of its address in the console: its GlobalId; undefined if the table has no key. */
  readonly id: string | undefined
  /** By the names of the fields that were asked for. */
  readonly values: Readonly<Record<string, unknown>>
  /** The GlobalIds of the rows that it references, by the names of the references; null if there is no such row. */
  readonly references: Readonly<Record<string, string | null>>
}

/** A page of rows. */
export interface RowPage {
  readonly rows: readonly Row[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  /** The cursors of the first and the last row; undefined where rows are found by their position. */
  readonly cursors: { readonly first: string; readonly last: string } | undefined
}

/** What is wanted of each row. */
export interface Wanted {
  readonly fields: readonly string[]
  /** References of which the GlobalId is wanted, with whether their tables have one. */
  readonly references: readonly Relation[]
}

/** Whether the rows of a table are found by their position: without a key, there are no other cursors. */
export function isReadByPosition({
  graphql,
  has_global_id: hasId,
}: Pick<Table, 'graphql' | 'has_global_id'>): boolean {
  return !graphql || !hasId
}

/** Reads a page of rows. */
export async function readRows(
  table: Table,
  wanted: Wanted,
  list: ListArguments,
  signal?: AbortSignal,
): Promise<RowPage> {
  if (isReadByPosition(table)) return readByPosition(table, wanted, list, signal)
  const { size, place } = list
  const { document, variables } = rowsDocument(table, wanted, list)
  const { rows } = await runGraphql<{ readonly rows: Connection }>(document, variables, signal)
  const { startCursor: first, endCursor: last, hasNextPage, hasPreviousPage } = rows.pageInfo
  const isBackward = place.kind === 'before' || place.kind === 'end'
  return {
    rows: rows.edges.map(({ node }) => rowOf(node, wanted)).slice(0, size),
    hasNext: isBackward ? place.kind === 'before' : hasNextPage === true,
    hasPrevious: isBackward ? hasPreviousPage === true : place.kind === 'after',
    cursors: first == null || last == null ? undefined : { first, last },
  }
}

interface Connection {
  readonly pageInfo: {
    readonly startCursor?: string | null
    readonly endCursor?: string | null
    readonly hasNextPage?: boolean
    readonly hasPreviousPage?: boolean
  }
  readonly edges: readonly { readonly node: Node }[]
}

type Node = Readonly<Record<string, unknown>>

/** Asks for one row more than is shown, to see whether there is a next page. */
async function readByPosition(
  table: Table,
  wanted: Wanted,
  list: ListArguments,
  signal: AbortSignal | undefined,
): Promise<RowPage> {
  const offset = list.place.kind === 'offset' ? list.place.offset : 0
  const read = table.graphql ? readNodes : readRecords
  const found = await read(table, wanted, { ...list, size: list.size + 1 }, signal)
  return {
    rows: found.slice(0, list.size),
    hasNext: found.length > list.size,
    hasPrevious: offset > 0,
    cursors: undefined,
  }
}

async function readNodes(table: Table, wanted: Wanted, list: ListArguments, signal?: AbortSignal) {
  const { document, variables } = rowsDocument(table, wanted, list)
  const { rows } = await runGraphql<{ readonly rows: Connection }>(document, variables, signal)
  return rows.edges.map(({ node }) => rowOf(node, wanted))
}

async function readRecords(table: Table, _wanted: Wanted, list: ListArguments, signal?: AbortSignal) {
  const { size, place, asc, desc, filters } = list
  const query = new URLSearchParams({ limit: String(size) })
  if (place.kind === 'offset') query.set('offset', String(place.offset))
  if (asc.length > 0) query.set('asc', asc.join())
  if (desc.length > 0) query.set('desc', desc.join())
  if (filters !== undefined) query.set('filters', JSON.stringify(filters))
  const response = await callGateway(`${table.api?.path}?${query}`, signal === undefined ? {} : { signal })
  return ((await response.json()) as readonly Node[]).map((record) => recordOf(record, table))
}

/** Whether the rows of a table can be counted in the way in which they are read. */
export function isCountable({ graphql, totals }: Pick<Table, 'graphql' | 'totals'>): boolean {
  return !graphql || totals
}

/** How many rows a list has. */
export async function countRows(
  table: Table,
  filters: unknown,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (table.graphql) {
    const { document, variables } = countDocument(table.name, filters)
    const { rows } = await runGraphql<{ readonly rows: { readonly totalCount: number } }>(
      document,
      variables,
      signal,
    )
    return rows.totalCount
  }
  const query = new URLSearchParams({ limit: '0', count: 'true' })
  if (filters !== undefined) query.set('filters', JSON.stringify(filters))
  const response = await callGateway(`${table.api?.path}?${query}`, signal === undefined ? {} : { signal })
  return Number(response.headers.get('x-total-count'))
}

/** One row by the last part of its address; null if it does not exist. Throws a `Refusal`. */
export async function readRow(
  table: Table,
  wanted: Wanted,
  id: string,
  signal?: AbortSignal,
): Promise<Row | null> {
  if (!table.graphql) {
    const path = `${table.api?.path}/${id}`
    const response = await callGateway(path, signal === undefined ? {} : { signal })
    return recordOf((await response.json()) as Node, table)
  }
  const { document, variables } = recordDocument(table, wanted, id)
  const { rows } = await runGraphql<{ readonly rows: Connection }>(document, variables, signal)
  const node = rows.edges[0]?.node
  return node === undefined ? null : rowOf(node, wanted)
}

// An address has no slash of base64; the gateway reads both alphabets.
function rowOf(node: Node, { references }: Wanted): Row {
  const id = typeof node.GlobalId === 'string' ? base64url(node.GlobalId) : undefined
  const referenced = references.map(({ name }) => {
    const target = node[name] as { readonly GlobalId?: string } | null
    return [name, typeof target?.GlobalId === 'string' ? base64url(target.GlobalId) : null] as const
  })
  return { id, values: node, references: Object.fromEntries(referenced) }
}

/** A record of a published API, which names fields in its own way. */
export function recordOf(record: Node, table: Table): Row {
  const values = Object.fromEntries(
    table.fields.flatMap(({ name, api_name: own }) => (own === undefined ? [] : [[name, record[own]]])),
  )
  const path = apiPathOf(table, values)
  return { id: path && lastPartOf(path), values, references: {} }
}
