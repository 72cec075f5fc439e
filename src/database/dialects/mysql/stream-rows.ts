import type { ExecuteValues, Connection as PlainConnection } from 'mysql2'
import { bytesOfRow } from '../../batching/bytes-of.ts'
import { BoundedRows } from '../../bounded-rows.ts'
import type { StreamOptions } from '../../driver.ts'
import type { ListedRows } from '../../row-set.ts'
import type { Row } from '../../sql-value.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { databaseErrorOf, endsConnection } from './error.ts'
import { dropExecuted, executedText } from './prepared-anew.ts'
import { type ResultField, singlesOf, withShort } from './single-numbers.ts'

/** What streaming needs of a connection. */
export interface StreamingSession {
  readonly plain: PlainConnection
  /** Ends what runs on the connection, which can no longer be used. */
  abandon(): void
  /** Ends the statement that runs on the connection, whose end `hasEnded` tells; the connection stays usable if that succeeds. */
  endStatement(hasEnded: Promise<void>, limits: StatementLimits): Promise<void>
}

/** How much of a list is read at once. */
type Most = Pick<StreamOptions, 'pieceRows' | 'pieceBytes'>

/** The rows of a statement, up to so many bytes. Rejects with the driver's errors. */
export function firstRows(
  connection: PlainConnection,
  sql: string,
  values: ExecuteValues,
  mostBytes: number,
): Promise<ListedRows> {
  return new Promise((resolve, reject) => {
    const rows = new BoundedRows(mostBytes)
    const onEnd = (failure: unknown) => {
      if (failure === undefined) resolve(rows.kept)
      else reject(failure as Error)
    }
    run(connection, sql, values, (row) => rows.add(row), onEnd)
  })
}

/** Runs a statement, and passes its rows on one by one. The end is reported once, with the error if it failed. */
function run(
  connection: PlainConnection,
  sql: string,
  values: ExecuteValues,
  onRow: (row: Row) => void,
  onEnd: (failure: unknown) => void,
): void {
  const text = executedText(sql)
  let hasEnded = false
  const end = (failure?: unknown) => {
    if (hasEnded) return
    hasEnded = true
    dropExecuted(connection, sql, text)
    // mysql2 does not tell a command that its connection is lost.
    connection.off('error', end)
    onEnd(failure)
  }
  let singles: readonly number[] = []
  // Each statement that waits on the connection listens.
  connection.setMaxListeners(0)
  connection.on('error', end)
  connection
    .execute(text, values)
    .on('fields', (fields: readonly ResultField[]) => {
      singles = singlesOf(fields)
    })
    .on('result', (row) => onRow(withShort(row as unknown as Row, singles)))
    .on('error', end)
    .on('end', () => end())
}

/**
 * The rows of a statement as the server sends them, in pieces, with backpressure. The limits apply to each piece. If
 * the caller stops early, the statement is ended; if a limit is reached, the connection is discarded.
 */
export async function* streamRows(
  session: StreamingSession,
  sql: string,
  values: ExecuteValues,
  most: Most,
  limits: StatementLimits,
): AsyncIterable<readonly Row[]> {
  const rows = new ComingRows(session.plain, sql, values, most)
  let isStopped = true
  try {
    while (!rows.isOver) {
      const piece = await supervise(
        () => rows.next(),
        limits,
        () => undefined,
      )
      if (piece.length > 0) yield piece
    }
    isStopped = false
  } catch (error) {
    isStopped = false
    if (!rows.hasEnded || endsConnection(error)) session.abandon()
    throw databaseErrorOf(error)
  } finally {
    rows.drop()
    if (isStopped && !rows.hasEnded) await session.endStatement(rows.end, limits)
  }
}

/** Rows that have arrived and were not taken yet: not many more than a piece. */
class ComingRows {
  readonly #connection: PlainConnection
  readonly #most: Most
  #piece: Row[] = []
  #bytes = 0
  #hasEnded = false
  #isDropped = false
  #failure: unknown
  #changed: (() => void) | undefined
  readonly #end = Promise.withResolvers<void>()

  constructor(connection: PlainConnection, sql: string, values: ExecuteValues, most: Most) {
    this.#connection = connection
    this.#most = most
    const onEnd = (failure: unknown) => {
      this.#failure = failure
      this.#hasEnded = true
      this.#end.resolve()
      this.#changed?.()
    }
    run(connection, sql, values, (row) => this.#add(row), onEnd)
  }

  /** Whether the server has ended the statement, with or without an error. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Resolves when the server has ended the statement. */
  get end(): Promise<void> {
    return this.#end.promise
  }

  /** Whether there are no more rows. */
  get isOver(): boolean {
    return this.#hasEnded && this.#failure === undefined && this.#piece.length === 0
  }

  /** The next piece, as soon as it has arrived. */
  async next(): Promise<readonly Row[]> {
    while (!this.#hasEnded && !this.#isFull) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
    if (this.#failure !== undefined) throw this.#failure
    const piece = this.#piece
    this.#piece = []
    this.#bytes = 0
    this.#connection.resume()
    return piece
  }

  /** Discards the remaining rows, which may still arrive. */
  drop(): void {
    this.#isDropped = true
    this.#piece = []
    this.#connection.resume()
  }

  get #isFull(): boolean {
    return this.#piece.length >= this.#most.pieceRows || this.#bytes >= this.#most.pieceBytes
  }

  #add(row: Row): void {
    if (this.#isDropped) return
    this.#piece.push(row)
    this.#bytes += bytesOfRow(row)
    if (!this.#isFull) return
    this.#connection.pause()
    this.#changed?.()
  }
}
