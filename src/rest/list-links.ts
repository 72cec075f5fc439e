import type { RowPage } from '../query/run-select.ts'
import type { ListArguments } from './list-arguments.ts'
import type { Query } from './query.ts'
import type { ListRequest } from './read-list-request.ts'

export interface ListPlace {
  /** The address of the list, without query. */
  readonly address: string
  /** The query of this page's address. */
  readonly query: Query
  readonly asked: ListArguments
  /** The cursor of a row of the page. */
  readonly cursorOf: (row: RowPage['rows'][number]) => string
}

/** The value of a `Link` header with the next and previous pages: https://www.rfc-editor.org/rfc/rfc8288 */
export function linksOf(page: RowPage, { cut }: ListRequest, place: ListPlace): string | undefined {
  const first = page.rows[0]
  const last = page.rows.at(-1)
  const link = (relation: string, changes: Readonly<Record<string, string>>) =>
    `<${place.address}?${changedQuery(place.query, changes)}>; rel="${relation}"`
  if (cut !== undefined) {
    const { offset, limit } = cut
    return page.hasNextPage && limit > 0 ? link('next', { offset: String(offset + limit) }) : undefined
  }
  const { first: forward = null, last: backward = null } = place.asked
  if (forward !== null && page.hasNextPage && last !== undefined) {
    return link('next', { after: place.cursorOf(last) })
  }
  if (forward === null && backward !== null && page.hasPreviousPage && first !== undefined) {
    return link('prev', { before: place.cursorOf(first) })
  }
  return undefined
}

function changedQuery(query: Query, changes: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...changes })) {
    for (const text of typeof value === 'string' ? [value] : value) parameters.append(name, text)
  }
  return parameters.toString()
}
