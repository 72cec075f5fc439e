import { type Emit, piecesOf } from '../../util/pieces-of.ts'
import type { Connection, Row, SelectOptions, SqlValue, Statement, StreamOptions } from '../driver.ts'
import { listOf, type RowSet } from '../row-set.ts'
import { bytesOf } from './bytes-of.ts'
import type { QuickStatements } from './quick-statements.ts'
import type { SharedConnections } from './shared-connections.ts'

/** Runs work on a connection of its own, when there is one. */
type RunAlone = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>

/** Reads one row by its key where that takes less time than to ask for it; undefined where it is to be asked for. */
export type ReadDirectly = (sql: string, values: readonly SqlValue[]) => RowSet | undefined

export interface SharedReadingOptions {
  readonly connections: SharedConnections
  readonly quick: QuickStatements
  readonly readDirectly: ReadDirectly | undefined
}

/** How long a reader of a long list may take for the next piece, whose connection it keeps. */
const pieceWaitMs = 60_000

/** For whoever reads by one statement: it shares a connection where it is known to be quick. */
export class SharedReading implements Connection {
  readonly #shared: SharedConnections
  readonly #quick: QuickStatements
  readonly #readAlone: RunAlone
  readonly #readDirectly: ReadDirectly | undefined

  constructor({ connections, quick, readDirectly }: SharedReadingOptions, readAlone: RunAlone) {
    this.#shared = connections
    this.#quick = quick
    this.#readDirectly = readDirectly
    this.#readAlone = readAlone
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  async select(statement: Statement, options?: SelectOptions): Promise<RowSet> {
    const { sql, parameters } = statement
    const direct =
      options?.byKey && this.#quick.isQuick(sql) ? this.#readDirectly?.(sql, parameters) : undefined
    if (direct !== undefined) return direct
    const rows = await this.#shared.select(statement, options)
    return rows ?? this.#readAlone((connection) => this.#timed(connection, statement, options))
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

  async #timed(
    connection: Connection,
    statement: Statement,
    options: SelectOptions | undefined,
  ): Promise<RowSet> {
    const start = performance.now()
    const rows = await connection.select(statement, options)
    this.#quick.ran(statement.sql, performance.now() - start, bytesOf(rows))
    return rows
  }
}
