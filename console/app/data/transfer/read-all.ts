/** Reads a whole list, page by page. */
import { callGateway } from '../../api/gateway.ts'
import type { ListArguments } from '../row-documents.ts'
import { type Row, type RowPage, readRows, recordOf, type Wanted } from '../rows.ts'
import { listCall } from '../show-list.ts'
import type { Place } from '../table-view.ts'
import type { Table } from '../tables.ts'
import { patiently } from './patiently.ts'

/** How many rows are read at once. */
const pageSize = 1000

/** All rows of a list in its order, whatever page it shows, in pages. Holds one page at a time. Throws a `Refusal`. */
export async function* readAll(
  table: Table,
  wanted: Wanted,
  list: Pick<ListArguments, 'filters' | 'asc' | 'desc'>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const read = table.graphql ? readRows : readRecordPage
  let place: Place | undefined = { kind: 'start' }
  let position = 0
  while (place !== undefined) {
    const asked: ListArguments = { ...list, place, size: pageSize }
    const page: RowPage = await patiently(() => read(table, wanted, asked, signal), signal)
    if (page.rows.length > 0) yield page.rows
    position += page.rows.length
    place = page.hasNext ? nextPlace(page, position) : undefined
  }
}

function nextPlace({ cursors }: RowPage, offset: number): Place {
  return cursors === undefined ? { kind: 'offset', offset } : { kind: 'after', cursor: cursors.last }
}

/** A page of a published API, which tells the cursor of the next one in its `Link` header. */
async function readRecordPage(
  table: Table,
  _wanted: Wanted,
  list: ListArguments,
  signal: AbortSignal,
): Promise<RowPage> {
  const { path } = listCall(table, { shown: [] }, list)
  const response = await callGateway(path, { signal })
  const records = (await response.json()) as readonly Readonly<Record<string, unknown>>[]
  const next = /[?&]after=([^&>]+)[^>]*>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return {
    rows: records.map((record) => recordOf(record, table)),
    hasNext: next !== undefined,
    hasPrevious: false,
    cursors: next === undefined ? undefined : { first: '', last: decodeURIComponent(next) },
  }
}
