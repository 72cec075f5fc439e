import { DatabaseError } from '../../database-error.ts'
import type { Connection, Row, SelectOptions, Statement, StreamOptions } from '../../driver.ts'
import { listOf, type RowSet } from '../../row-set.ts'
import type { StatementLimits } from '../../supervise.ts'
import { PieceSize } from './piece-size.ts'
import { beginRead, bound, type Session } from './session.ts'

const savepoint = 'savepoint gatehouse_read'

/** A connection while somebody reads: in a transaction, unless there is only one statement. */
export class Reading implements Connection {
  readonly #another: () => Promise<Session>
  readonly #limits: StatementLimits
  #session: Session
  /** Whether the next statement is to begin a transaction. */
  #isToBegin: boolean
  #isFirst = true
  #inTransaction = false
  #ended: Promise<void> | undefined
  #streams = 0

  constructor(session: Session, another: () => Promise<Session>, limits: StatementLimits, isSingle: boolean) {
    this.#session = session
    this.#another = another
    this.#limits = limits
    this.#isToBegin = !isSingle
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select({ sql, parameters }: Statement, { last = false, mostBytes }: SelectOptions = {}): Promise<RowSet> {
    const values = parameters.map(bound)
    return this.#run((session) => session.select(sql, values, this.#limits, mostBytes), last)
  }

  /**
   * Where a piece is cut, because its rows turn out to be wide, the list is opened once more behind what was kept: in one
   * transaction it is the same one.
   */
  async *stream({ sql, parameters }: Statement, most: StreamOptions): AsyncIterable<RowSet> {
    this.#isToBegin = !this.#inTransaction
    const limits = this.#limits
    const values = parameters.map(bound)
    const size = new PieceSize(most)
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

  async #run<Result>(work: (session: Session) => Promise<Result>, isLast = false): Promise<Result> {
    if (this.#isFirst) {
      this.#isFirst = false
      return this.#runFirst(work, isLast)
    }
    const session = this.#session
    try {
      return await this.#framed(session, work, isLast)
    } catch (error) {
      await this.#recover(session)
      throw error
    }
  }

  /** A connection that has waited in the pool may be dead: then another is tried, once. */
  async #runFirst<Result>(work: (session: Session) => Promise<Result>, isLast: boolean): Promise<Result> {
    const session = this.#session
    const isToBegin = this.#isToBegin
    try {
      return await this.#framed(session, work, isLast)
    } catch (error) {
      const isDead = error instanceof DatabaseError && error.kind === 'unavailable' && !session.usable
      if (!isDead) {
        await this.#recover(session)
        throw error
      }
    }
    session.release()
    this.#session = await this.#another()
    this.#isToBegin = isToBegin
    return this.#framed(this.#session, work, isLast)
  }

  /** Where a transaction is to begin, or to end, that goes out together with its first statement, or its last. */
  async #framed<Result>(
    session: Session,
    work: (session: Session) => Promise<Result>,
    isLast: boolean,
  ): Promise<Result> {
    // One statement sees one state of the data by itself; behind a pooler it has a transaction for its settings all the same.
    const isAlone = !this.#inTransaction && (isLast || !this.#isToBegin)
    const begins = isAlone ? session.isPooled : this.#isToBegin
    const ends = isAlone ? session.isPooled : this.#inTransaction && isLast
    this.#isToBegin = false
    if (!begins && !ends) return work(session)
    this.#inTransaction = begins && !ends
    // What ends the statement ends them all.
    const begun = begins ? session.command(this.#beginning(session, ends)) : undefined
    const result = work(session)
    if (ends) {
      this.#ended = session.command('commit', this.#limits)
      // Told where it is waited for.
      this.#ended.catch(() => undefined)
    }
    return begun === undefined ? result : (await Promise.all([result, begun]))[0]
  }

  #beginning(session: Session, isOneStatement: boolean): string {
    const begin = session.beginning(beginRead)
    return isOneStatement ? begin : `${begin}; ${savepoint}`
  }

  /** Done when nothing of it is left on the connection; whatever was under way is at its end then. */
  async end(endTransaction: (session: Session) => Promise<void>): Promise<void> {
    const session = this.#session
    if (this.#inTransaction) return endTransaction(session)
    try {
      await this.#ended
    } catch {
      session.usable = false
    }
    session.release()
  }

  /** A statement that fails ends a transaction; a read goes on, with the state of the data that it began with. */
  async #recover(session: Session): Promise<void> {
    if (this.#inTransaction && session.usable)
      await session.command('rollback to savepoint gatehouse_read', this.#limits)
  }
}
