import { timeoutBehind } from '../database/response-timeout.ts'
import { AppError } from '../errors/app-error.ts'
import { compileSelect } from '../query/compile-select.ts'
import { encodeCursor } from '../query/cursor.ts'
import { hasOneStatement, type RowPage, runRootSelect, type SelectedPage } from '../query/run-select.ts'
import { readableLayoutOf } from '../record/record-layout.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import type { Emit } from '../util/pieces-of.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { wholeOrPieces } from '../util/whole-or-pieces.ts'
import type { ListArguments, Query } from './list-arguments.ts'
import { linksOf } from './list-links.ts'
import { ListResponse } from './list-response.ts'
import { type ListRequest, readListRequest } from './read-list-request.ts'
import { findEnds, shownPieces } from './read-long-list.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/** The limits of one list. */
export interface ListLimits {
  /** For reading it, in milliseconds; the client's time does not count. */
  readonly timeMs: number
  /** Records of one response. */
  readonly rows: number
  /** Bytes of one response. */
  readonly bytes: number
}

/** The request for a list, and its address. */
export interface ListCall {
  readonly asked: ListArguments
  /** The path after the resource: '' for the list itself. */
  readonly path: '' | '/query'
  /** The query of the address. */
  readonly query: Query
}

/** How long a client may take to read a piece of a list, which may hold a database connection. */
const timeoutMs = 30_000

/** A page from the end of a list is held in memory: this is its largest size in bytes. */
const mostHeldBytes = 64 * 1024 * 1024

/**
 * The records of an entity: a JSON list, with the total and the next page in headers. A long one comes in pieces, and
 * breaks off if a limit is reached after the first. Throws ANSWER_TIMEOUT and ANSWER_TOO_LARGE beyond the limits.
 */
export async function listRecords(
  entity: PublishedEntity,
  { asked, path, query }: ListCall,
  { database, baseUrl, cancellation }: RestParts,
  limits: ListLimits,
): Promise<RestResponse> {
  const { dialect, driver } = database
  const request = readListRequest(asked, entity, limits.rows)
  const compiled = compileSelect(request.plan, dialect)
  const context = { variables: request.variables, syntax: dialect.syntax }
  const time = new TimeLimit(limits.timeMs, cancellation)
  const layout = readableLayoutOf(entity)
  const place = { address: `${baseUrl}/apis/${entity.resource}${path}`, query, asked }
  let headers: RestResponse['headers'] = {}
  const begin = (ends: RowPage): void => {
    const link = linksOf(ends, request, { ...place, cursorOf: (row) => encodeCursor(request.order, row) })
    headers = {
      ...(request.plan.wanted.total && { 'x-total-count': String(ends.total) }),
      ...(link !== undefined && { link }),
    }
  }
  const produce = async (emit: Emit<string>): Promise<string> => {
    const response = new ListResponse({ layout, mostBytes: limits.bytes, time, emit })
    const page = await driver.read(
      (connection) => runRootSelect(connection, compiled, context, { mostBytes: mostHeldBytes }),
      { isolation: hasOneStatement(compiled) ? 'statement' : 'snapshot', cancellation: time },
    )
    if (!('isLong' in page)) {
      if (page.rows.isCut) throw tooManyHeldBytes()
      const shown = withoutExtraRow(page, request)
      if (shown.count > limits.rows) throw tooManyRows(limits.rows)
      begin(endsOf(shown, request))
      await response.write(shown)
      return response.end()
    }
    // All of it is read from one snapshot of the data, including what is known before the first record.
    return driver.stream(
      async (connection) => {
        const list = { connection, dialect, request, compiled, context }
        const ends = await findEnds(list)
        if (ends.count > limits.rows) throw tooManyRows(limits.rows)
        begin(ends.page)
        for await (const piece of shownPieces(list)) await response.write(piece)
        return response.end()
      },
      { cancellation: time },
    )
  }
  const written = await wholeOrPieces(produce, timeoutMs).catch((error: unknown) => {
    throw timeoutBehind(error, time)
  })
  return written.kind === 'whole'
    ? { status: 200, headers, body: written.whole }
    : { status: 200, headers, pieces: written.pieces }
}

function withoutExtraRow(page: SelectedPage, { cut }: ListRequest): SelectedPage {
  if (cut === undefined || page.count <= cut.limit) return page
  return { ...page, count: cut.limit, hasNextPage: true }
}

/** The page with the sort values of its first and last row. */
function endsOf(page: SelectedPage, { cursorPositions }: ListRequest): RowPage {
  const { rows, start, step, count } = page
  const ends = count === 0 ? [] : [start, start + (count - 1) * step]
  return { ...page, rows: ends.map((row) => cursorPositions.map((position) => rows.value(row, position))) }
}

function tooManyRows(limit: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The list has more than ${limit.toLocaleString('en')} records, which is the limit (list_max_rows). Page through it with "limit".`,
  })
}

function tooManyHeldBytes(): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The last records of a list are read together, and these have more than ${mostHeldBytes / 2 ** 20} MB. Ask for fewer, with "last".`,
  })
}
