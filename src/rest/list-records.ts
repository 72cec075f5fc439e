import { timeoutBehind } from '../database/answer-timeout.ts'
import { compileSelect } from '../query/compile-select.ts'
import { encodeCursor } from '../query/cursor.ts'
import { hasOneStatement, type RowPage, runSelect } from '../query/run-select.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { linksOf } from './list-links.ts'
import { type ListRequest, type Query, readListRequest } from './read-list-request.ts'
import { layoutOf, type RecordLayout } from './record-layout.ts'
import type { RestAnswer, RestParts } from './rest-parts.ts'

/** `GET` of the records of an entity: a JSON list, with the total and the next page in headers; within `timeLimitMs`. */
export async function listRecords(
  entity: PublishedEntity,
  query: Query,
  { database: { dialect, driver }, baseUrl, waiter }: RestParts,
  timeLimitMs: number,
): Promise<RestAnswer> {
  const request = readListRequest(query, entity)
  const compiled = compileSelect(request.plan, dialect)
  const context = { variables: {}, syntax: dialect.syntax }
  const time = new TimeLimit(timeLimitMs, waiter)
  const reading = driver.read((connection) => runSelect(connection, compiled, context), {
    single: hasOneStatement(compiled),
    waiter: time,
  })
  const [fetched] = await reading.catch((error: unknown) => {
    throw timeoutBehind(error, time)
  })
  const page = withoutExtraRow(fetched, request)
  const layout = layoutOf(entity)
  const link = linksOf(page, request, {
    address: `${baseUrl}/apis/${entity.resource}`,
    query,
    cursorOf: (row) =>
      encodeCursor(
        request.order,
        request.plan.orderBy.map(({ column }) => row[layout.positionOf(column)] ?? null),
      ),
  })
  return {
    status: 200,
    headers: {
      ...(request.plan.wanted.total && { 'x-total-count': String(page.total) }),
      ...(link !== undefined && { link }),
    },
    body: writeList(page, layout),
  }
}

const emptyPage: RowPage = { rows: [], hasNextPage: false, hasPreviousPage: false, total: 0 }

function withoutExtraRow(page: RowPage = emptyPage, { cut }: ListRequest): RowPage {
  if (cut === undefined || page.rows.length <= cut.limit) return page
  return { ...page, rows: page.rows.slice(0, cut.limit), hasNextPage: true }
}

/** One text, grown row by row. */
function writeList({ rows }: RowPage, { write }: RecordLayout): string {
  let text = '['
  for (const [index, row] of rows.entries()) text += index === 0 ? write(row) : `,${write(row)}`
  return `${text}]`
}
