import { timeoutBehind } from '../database/response-timeout.ts'
import { compileSelect } from '../query/compile-select.ts'
import { encodeCursor } from '../query/cursor.ts'
import { compileRelations } from '../query/levels/compile-level.ts'
import { hasOneStatement, type RowPage } from '../query/run-select.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { pieceTimeoutMs } from '../util/answer-pieces.ts'
import type { Emit } from '../util/pieces-of.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { wholeOrPieces } from '../util/whole-or-pieces.ts'
import type { ListArguments } from './list-arguments.ts'
import type { ListLimits } from './list-limits.ts'
import { linksOf } from './list-links.ts'
import { ListResponse } from './list-response.ts'
import type { Query } from './query.ts'
import { type CompiledList, readInPieces, readWhole } from './read-list.ts'
import { readListRequest } from './read-list-request.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/** The request for a list, and its address. */
export interface ListCall {
  readonly asked: ListArguments
  /** The path after the resource: '' for the list itself. */
  readonly path: '' | '/query'
  /** The query of the address. */
  readonly query: Query
}

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
  const list: CompiledList = {
    request,
    select: compileSelect(request.plan, dialect),
    relations: compileRelations(request.relations, dialect, limits.heldRows),
    context: { variables: request.variables, syntax: dialect.syntax },
    dialect,
    limits,
  }
  const time = new TimeLimit(limits.timeMs, cancellation)
  const place = { address: `${baseUrl}/apis/${entity.resource}${path}`, query, asked }
  let headers: RestResponse['headers'] = {}
  const begin = (ends: RowPage): void => {
    const link = linksOf(ends, request, { ...place, cursorOf: (row) => encodeCursor(request.order, row) })
    headers = {
      ...(request.plan.wanted.total && { 'x-total-count': String(ends.total) }),
      ...(link !== undefined && { link }),
    }
  }
  const isOneStatement = request.relations.length === 0 && hasOneStatement(list.select)
  const produce = async (emit: Emit<string>): Promise<string> => {
    const { write: writeRecord } = request
    const response = new ListResponse({ writeRecord, isList: true, mostBytes: limits.bytes, time, emit })
    const whole = await driver.read((connection) => readWhole(list, connection), {
      isolation: isOneStatement ? 'statement' : 'snapshot',
      cancellation: time,
    })
    if (whole !== undefined) {
      begin(whole.ends)
      await response.write(whole.page, whole.level)
      return response.end()
    }
    // All of it is read from one snapshot of the data, including what is known before the first record.
    return driver.stream(
      async (connection) => {
        for await (const piece of readInPieces(list, connection, begin))
          await response.write(piece.page, piece.level)
        return response.end()
      },
      { cancellation: time },
    )
  }
  const written = await wholeOrPieces(produce, pieceTimeoutMs).catch((error: unknown) => {
    throw timeoutBehind(error, time)
  })
  return written.kind === 'whole'
    ? { status: 200, headers, body: written.whole }
    : { status: 200, headers, pieces: written.pieces }
}
