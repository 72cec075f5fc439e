import type { Connection, Row, Statement, StreamOptions } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import { bytesOf } from './bytes-of.ts'
import { Trust } from './trust.ts'

/** A read each of whose statements takes less time, with fewer bytes in all, keeps nobody waiting who reads beside it. */
const quickMs = 4
const quickBytes = 262_144

/** Which reads of several statements are quick, by what was seen of others of their kind. */
export class QuickReads {
  readonly #trust = new Trust(new WeakMap<object, number>())

  isQuick(kind: object): boolean {
    return this.#trust.has(kind)
  }

  /** Runs a read of this kind by itself, and looks at how long it takes. */
  async watch<Result>(
    kind: object,
    connection: Connection,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const watched = new WatchedConnection(connection)
    const result = await work(watched)
    if (watched.isQuick) this.#trust.give(kind)
    return result
  }

  /** A read of this kind failed, or kept others waiting. */
  wasTrouble(kind: object): void {
    this.#trust.withdraw(kind)
  }
}

class WatchedConnection implements Connection {
  readonly #connection: Connection
  #slowestMs = 0
  #bytes = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get isQuick(): boolean {
    return this.#slowestMs <= quickMs && this.#bytes <= quickBytes
  }

  query(statement: Statement): Promise<readonly Row[]> {
    this.#slowestMs = Number.POSITIVE_INFINITY
    return this.#connection.query(statement)
  }

  async select(...given: Parameters<Connection['select']>): Promise<RowSet> {
    const start = performance.now()
    const rows = await this.#connection.select(...given)
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - start)
    this.#bytes += bytesOf(rows)
    return rows
  }

  stream(statement: Statement, options: StreamOptions): AsyncIterable<RowSet> {
    this.#bytes = Number.POSITIVE_INFINITY
    return this.#connection.stream(statement, options)
  }

  execute(statement: Statement): Promise<number> {
    this.#slowestMs = Number.POSITIVE_INFINITY
    return this.#connection.execute(statement)
  }
}
