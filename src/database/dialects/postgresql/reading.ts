import type { DatabaseError } from '../../database-error.ts'
import type {
  ReadOptions,
  SelectOptions,
  SelectStatement,
  Statement,
  StreamingConnection,
  StreamOptions,
} from '../../driver.ts'
import { listOf, type RowSet } from '../../row-set.ts'
import { type ReadConnection, staleIfLost } from '../../run-again.ts'
import type { Row } from '../../sql-value.ts'
import type { StatementLimits } from '../../supervise.ts'
import { PieceSize } from './piece-size.ts'
import { beginRead, bound, type DatabaseSession } from './session.ts'

const savepoint = 'savepoint gatehouse_read'

/** A connection while a caller reads: in a transaction, unless each statement reads the latest state. */
export class Reading implements StreamingConnection, ReadConnection {
  readonly #session: DatabaseSession
  readonly #limits: StatementLimits
  readonly #isolation: NonNullable<ReadOptions['isolation']>
  #isFirst = true
  #inTransaction = false
  /** The end of the last single-statement transaction. */
  #ended: Promise<void> | undefined
  #stale: DatabaseError | undefined
  #streams = 0

  constructor(
    session: DatabaseSession,
    limits: StatementLimits,
    isolation: NonNullable<ReadOptions['isolation']>,
  ) {
    this.#session = session
    this.#limits = limits
    this.#isolation = isolation
  }

  get toRunAgain(): DatabaseError | undefined {
    return this.#stale
  }

  /** Begins the transaction now instead of with the first statement. */
  async begin(): Promise<void> {
    this.#isFirst = false
    try {
      await this.#session.command(this.#beginning(), this.#limits)
      this.#inTransaction = true
    } catch (error) {
      throw this.#session.usable ? error : staleIfLost(error)
    }
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select({ sql, parameters }: Statement, { mostBytes }: SelectOptions = {}): Promise<RowSet> {
    const values = parameters.map(bound)
    return this.#run((session) => session.select(sql, values, this.#limits, mostBytes))
  }

  /**
   * If a piece is truncated because its rows are wide, the list is opened again after the rows that were kept: within
   * a transaction the list is the same.
   */
  async *stream(
    { sql, parameters, isSorted = false }: SelectStatement,
    most: StreamOptions,
  ): AsyncIterable<RowSet> {
    const limits = this.#limits
    const values = parameters.map(bound)
    const size = new PieceSize(most, isSorted)
    const asked = () => ({ name, sql, pieceRows: size.rows, mostBytes: size.mostBytes })
    let name = this.#nextStream()
    let piece = (await this.#run((session) => session.openRows({ ...asked(), values }, limits))).first
    let count = 0
    for (;;) {
      count += piece.rows.length
      if (piece.rows.length > 0) yield piece.rows
      if (piece.isComplete && !piece.rows.isCut) break
      size.learn(piece.rows)
      if (piece.rows.isCut) {
        await this.#run((session) => session.closeRows(name, limits))
        name = this.#nextStream()
        await this.#run((session) => session.openRowsBehind(count, { ...asked(), values }, limits))
      }
      piece = await this.#run((session) => session.moreRows(asked(), limits))
    }
    await this.#run((session) => session.closeRows(name, limits))
  }

  #nextStream(): string {
    this.#streams += 1
    return `gatehouse_rows_${this.#streams}`
  }

  execute(statement: Statement): Promise<number> {
    return this.#run((session) => session.execute(statement, this.#limits))
  }

  async #run<Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
    const session = this.#session
    const isFirst = this.#isFirst
    this.#isFirst = false
    try {
      return await (this.#isolation === 'statement' ? this.#inOwn(session, work) : this.#inOne(session, work))
    } catch (error) {
      const known = isFirst && !session.usable ? staleIfLost(error) : error
      if (known !== error) this.#stale = known as DatabaseError
      else await this.#recover(session)
      throw known
    }
  }

  /**
   * A single statement reads a consistent state without a transaction; behind a pooler it needs one for its settings.
   */
  async #inOwn<Result>(
    session: DatabaseSession,
    work: (session: DatabaseSession) => Promise<Result>,
  ): Promise<Result> {
    if (!session.isPooled) return work(session)
    const begun = session.command(session.beginning(beginRead))
    const result = work(session)
    this.#ended = session.command('commit', this.#limits)
    // The failure is handled where it is awaited.
    this.#ended.catch(() => undefined)
    return (await Promise.all([result, begun]))[0]
  }

  /** The transaction begins in one message with its first statement. */
  async #inOne<Result>(
    session: DatabaseSession,
    work: (session: DatabaseSession) => Promise<Result>,
  ): Promise<Result> {
    if (this.#inTransaction) return work(session)
    this.#inTransaction = true
    // An error of the statement also rejects this.
    const begun = session.command(this.#beginning())
    return (await Promise.all([work(session), begun]))[0]
  }

  #beginning(): string {
    return `${this.#session.beginning(beginRead)}; ${savepoint}`
  }

  /** Resolved when nothing of it is left on the connection, and its statements have ended. */
  async end(endTransaction: (session: DatabaseSession) => Promise<void>): Promise<void> {
    const session = this.#session
    if (this.#inTransaction) return endTransaction(session)
    try {
      await this.#ended
    } catch {
      session.usable = false
    }
    session.release()
  }

  /** A failed statement aborts a transaction; a read continues, with the same snapshot. */
  async #recover(session: DatabaseSession): Promise<void> {
    if (this.#inTransaction && session.usable)
      await session.command('rollback to savepoint gatehouse_read', this.#limits)
  }
}
