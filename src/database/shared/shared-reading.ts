import { type Emit, piecesOf } from '../../util/pieces-of.ts'
import type { Connection, Row, Statement, StreamOptions } from '../driver.ts'
import { listOf, PackedRows, type RowSet } from '../row-set.ts'
import type { QuickStatements } from './quick-statements.ts'
import type { SharedConnections } from './shared-connections.ts'

/** Runs work on a connection of its own, when there is one. */
type ReadAlone = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>

/** How long a reader of a long list may take for the next piece, whose connection it keeps. */
const pieceWaitMs = 60_000

/** For whoever reads by one statement: it shares a connection where it is known to be quick. */
export class SharedReading implements Connection {
  readonly #shared: SharedConnections
  readonly #quick: QuickStatements
  readonly #readAlone: ReadAlone

  constructor(shared: SharedConnections, quick: QuickStatements, readAlone: ReadAlone) {
    this.#shared = shared
    this.#quick = quick
    this.#readAlone = readAlone
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  async select(statement: Statement): Promise<RowSet> {
    const rows = await this.#shared.select(statement)
    return rows ?? this.#readAlone((connection) => this.#timed(connection, statement))
  }

  stream(statement: Statement, options: StreamOptions): AsyncIterable<RowSet> {
    const read = (emit: Emit<RowSet>) =>
      this.#readAlone(async (connection) => {
        for await (const piece of connection.stream(statement, options)) await emit(piece)
      })
    return piecesOf(read, pieceWaitMs)
  }

  execute(statement: Statement): Promise<number> {
    return this.#readAlone((connection) => connection.execute(statement))
  }

  async #timed(connection: Connection, statement: Statement): Promise<RowSet> {
    const start = performance.now()
    const rows = await connection.select(statement)
    const bytes = rows instanceof PackedRows ? rows.bytes.length : rows.length * rowBytes
    this.#quick.ran(statement.sql, performance.now() - start, bytes)
    return rows
  }
}

/** What a row is taken to have, where its bytes are not known. */
const rowBytes = 256
