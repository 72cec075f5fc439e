import type { Connection, SelectOptions, SelectStatement, Statement } from '../driver.ts'
import { listOf, type RowSet } from '../row-set.ts'
import type { Row, SqlValue } from '../sql-value.ts'
import { bytesOf } from './bytes-of.ts'
import type { QuickStatements } from './quick-statements.ts'
import type { SharedConnections } from './shared-connections.ts'

/** Runs work on its own connection, when there is one. */
type RunAlone = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>

/** Reads one row by its key where that takes less time than to ask for it; undefined where it is to be asked for. */
export type ReadDirectly = (sql: string, values: readonly SqlValue[]) => RowSet | undefined

export interface SharedReadingOptions {
  readonly connections: SharedConnections
  readonly quick: QuickStatements
  readonly readDirectly: ReadDirectly | undefined
}

/** For reads whose statements each see the newest state: a statement that is known to be quick shares a connection. */
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

  async select(statement: SelectStatement, options?: SelectOptions): Promise<RowSet> {
    const { sql, parameters, byKey } = statement
    const direct = byKey && this.#quick.isQuick(sql) ? this.#readDirectly?.(sql, parameters) : undefined
    if (direct !== undefined) return direct
    const rows = await this.#shared.select(statement, options)
    return rows ?? this.#readAlone((connection) => this.#timed(connection, statement, options))
  }

  execute(statement: Statement): Promise<number> {
    return this.#readAlone((connection) => connection.execute(statement))
  }

  async #timed(
    connection: Connection,
    statement: SelectStatement,
    options: SelectOptions | undefined,
  ): Promise<RowSet> {
    const start = performance.now()
    const rows = await connection.select(statement, options)
    this.#quick.ran(statement.sql, performance.now() - start, bytesOf(rows))
    return rows
  }
}
