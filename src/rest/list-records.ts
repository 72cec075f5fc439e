import { timeoutBehind } from '../database/answer-timeout.ts'
import { AppError } from '../errors/app-error.ts'
import { compileSelect } from '../query/compile-select.ts'
import { encodeCursor } from '../query/cursor.ts'
import { hasOneStatement, type RowPage, runSelect } from '../query/run-select.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { TimeSlices } from '../util/time-slices.ts'
import { linksOf } from './list-links.ts'
import { type ListRequest, type Query, readListRequest } from './read-list-request.ts'
import { layoutOf, type RecordLayout } from './record-layout.ts'
import type { RestAnswer, RestParts } from './rest-parts.ts'

/** What one list may take. */
export interface ListLimits {
  /** For reading it, in milliseconds. */
  readonly timeMs: number
  /** Records of one answer. */
  readonly rows: number
}

/**
 * `GET` of the records of an entity: a JSON list, with the total and the next page in headers. Throws ANSWER_TIMEOUT and
 * ANSWER_TOO_LARGE beyond the limits.
 */
export async function listRecords(
  entity: PublishedEntity,
  query: Query,
  { database: { dialect, driver }, baseUrl, waiter }: RestParts,
  limits: ListLimits,
): Promise<RestAnswer> {
  const request = readListRequest(query, entity, limits.rows)
  const compiled = compileSelect(request.plan, dialect)
  const context = { variables: {}, syntax: dialect.syntax }
  const time = new TimeLimit(limits.timeMs, waiter)
  const reading = driver.read((connection) => runSelect(connection, compiled, context), {
    single: hasOneStatement(compiled),
    waiter: time,
  })
  const [fetched] = await reading.catch((error: unknown) => {
    throw timeoutBehind(error, time)
  })
  const page = withoutExtraRow(fetched, request)
  if (page.rows.length > limits.rows) throw tooManyRows(limits.rows)
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
    body: await writeList(page, layout),
  }
}

const emptyPage: RowPage = { rows: [], hasNextPage: false, hasPreviousPage: false, total: 0 }

function withoutExtraRow(page: RowPage = emptyPage, { cut }: ListRequest): RowPage {
  if (cut === undefined || page.rows.length <= cut.limit) return page
  return { ...page, rows: page.rows.slice(0, cut.limit), hasNextPage: true }
}

function tooManyRows(limit: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The list has more than ${limit.toLocaleString('en')} records, which is the limit (list_max_rows). Ask for it in pages, with "limit".`,
  })
}

/** One text, grown row by row; a long one in time slices. */
async function writeList({ rows }: RowPage, { write }: RecordLayout): Promise<string> {
  const slices = new TimeSlices()
  let text = '['
  for (const [index, row] of rows.entries()) {
    if (slices.isOver) await slices.next()
    text += index === 0 ? write(row) : `,${write(row)}`
  }
  return `${text}]`
}
