import type { ExecuteValues, Connection as PlainConnection } from 'mysql2'
import type { Row } from '../../driver.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { databaseErrorOf } from './error.ts'

/** What streaming needs of a connection. */
export interface StreamingSession {
  readonly plain: PlainConnection
  /** Ends what runs on the connection, which is then of no more use. */
  abandon(): void
}

/**
 * The rows of a statement as the server sends them, in pieces; it is held up while nobody takes them. The limits
 * count for each piece. Where the caller stops early the connection is given up.
 */
export async function* streamRows(
  session: StreamingSession,
  sql: string,
  values: ExecuteValues,
  pieceRows: number,
  limits: StatementLimits,
): AsyncIterable<readonly Row[]> {
  const stream = session.plain.execute(sql, values).stream({ highWaterMark: pieceRows })
  const rows = stream[Symbol.asyncIterator]() as AsyncIterator<Row>
  let complete = false
  let piece: Row[] = []
  try {
    while (!complete) {
      await supervise(
        async () => {
          while (piece.length < pieceRows) {
            const next = await rows.next()
            if (next.done) {
              complete = true
              return
            }
            piece.push(next.value)
          }
        },
        limits,
        () => undefined,
      )
      if (piece.length > 0) yield piece
      piece = []
    }
  } catch (error) {
    throw databaseErrorOf(error)
  } finally {
    if (!complete) {
      session.abandon()
      stream.destroy()
    }
  }
}
