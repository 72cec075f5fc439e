import type { CancellationToken } from '../util/cancellation-token.ts'
import type { RowSet } from './row-set.ts'

/** Text for one database, with the values for its placeholders. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  /** Whether the database may refuse it: that is an answer like any other, and not told as a failure. */
  readonly mayFail?: true
}

/** What goes into a placeholder. Dates, decimals and JSON travel as text, lists as JSON text or as the dialect binds them. */
export type SqlValue = string | number | bigint | Uint8Array | null

/** A row by position, in the order of the select list. */
export type Row = readonly SqlValue[]

/** One connection, used by one caller at a time. Every method throws `DatabaseError`. */
export interface Connection {
  /** Runs a statement that answers with rows. */
  query(statement: Statement): Promise<readonly Row[]>
  /** The same with the rows in the form in which they came, for those who write them as they are. */
  select(statement: Statement, options?: SelectOptions): Promise<RowSet>
  /**
   * Runs a statement whose rows come in pieces, each when it is asked for, so that they are never held all at
   * once. Other statements may run between the pieces, unless `alone` says that none will. Only inside `read`.
   */
  stream(statement: Statement, options: StreamOptions): AsyncIterable<RowSet>
  /** Runs a statement that changes something; gives the number of rows it changed. */
  execute(statement: Statement): Promise<number>
}

export interface SelectOptions {
  /** Promises that nothing else is asked of the connection, so that what it was in ends together with the statement. */
  readonly last?: boolean
  /** Promises that there is one row at most, and that it is looked for by its key. */
  readonly byKey?: boolean
  /** Rows behind so many bytes are left out (`RowSet.isCut`). Without it all are held, however many they are. */
  readonly mostBytes?: number | undefined
}

export interface StreamOptions {
  /** The most rows of a piece. */
  readonly pieceRows: number
  /** No row is added to a piece that has so many bytes, as far as they can be known. */
  readonly pieceBytes: number
  /** Promises that the rows come in the same order whenever the statement sees the same state of the data. */
  readonly isSorted: boolean
  /** Promises that no other statement runs on the connection before the last piece was read. */
  readonly alone: boolean
}

/**
 * Who reads: `queries` of clients may take long and wait for each other; the gateway's own `records` are
 * read quickly and must not wait for them.
 */
export type ReadLane = 'queries' | 'records'

export interface ReadOptions {
  readonly lane?: ReadLane
  /** Who waits for the answer: when nobody does any more, what is running in the database is ended. */
  readonly cancellation?: CancellationToken | undefined
  /**
   * Whether statements read views, which may work for long without a row to show: they run where they can be ended
   * all the same. Other statements notice by themselves (`Syntax.cancellationCheck`).
   */
  readonly endable?: boolean
  /**
   * Promises that one statement runs, and perhaps a stream after it: each sees one state of the data by itself, and the
   * two need not see the same.
   */
  readonly single?: boolean
  /**
   * Present where work may be run again from its start, even after it is done, as long as its result was not given. The
   * same object means the same statements with other values, so that one tells how quick the next will be.
   */
  readonly kind?: object
}

export interface TransactionOptions {
  /** For changes of tables: its statements take as long as they need. */
  readonly unlimited?: boolean
  /** Who waits for the change: when nobody does any more, it is not begun. What was begun goes on. */
  readonly cancellation?: CancellationToken | undefined
}

export interface Driver {
  /** A connection for reading; other readers and the writer go on. All statements in `work` see one state of the data. */
  read<Result>(work: (connection: Connection) => Promise<Result>, options?: ReadOptions): Promise<Result>
  /**
   * A connection for reading and writing inside one transaction: committed and durable when `work` is
   * done, undone when it throws. Of a database that was opened by `openDatabase`, it begins again when a deadlock has
   * undone it, so that `work` may run several times.
   */
  transaction<Result>(
    work: (connection: Connection) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /** Waits for running work, then gives every connection back. */
  close(): Promise<void>
}

/** How long callers wait, on every product. */
export interface DriverLimits {
  /** How long one statement may take before it is ended in the database. */
  readonly statementTimeoutMs: number
  /** How long a caller waits for a connection when all are in use. */
  readonly waitMs: number
}
