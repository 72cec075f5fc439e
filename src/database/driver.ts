import type { CancellationToken } from '../util/cancellation-token.ts'
import type { RowSet } from './row-set.ts'
import type { Row, SqlValue } from './sql-value.ts'

/** Text for one database, with the values for its placeholders. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  /** Whether the database may refuse it: that is an answer like any other, and not told as a failure. */
  readonly mayFail?: true
}

/** A statement that gives rows, with what its maker knows of them. */
export interface SelectStatement extends Statement {
  /** There is one row at most, and an index on its key finds it. */
  readonly byKey?: boolean
  /** Rows come in the same order whenever the statement sees the same state of the data. */
  readonly isSorted?: boolean
}

/** One connection, used by one caller at a time. Every method throws `DatabaseError`. */
export interface Connection {
  /** Runs a statement that answers with rows. */
  query(statement: Statement): Promise<readonly Row[]>
  /** The same with the rows in the form in which they came, for callers that write them as they are. */
  select(statement: SelectStatement, options?: SelectOptions): Promise<RowSet>
  /** Runs a statement that changes something; gives the number of rows it changed. */
  execute(statement: Statement): Promise<number>
}

/** A connection that reads long lists as well. */
export interface StreamingConnection extends Connection {
  /**
   * Runs a statement whose rows come in pieces, each when it is asked for, so that they are never held all at
   * once. Other statements may run between the pieces.
   */
  stream(statement: SelectStatement, options: StreamOptions): AsyncIterable<RowSet>
}

export interface SelectOptions {
  /** Rows behind so many bytes are left out (`RowSet.isCut`). Without it all are held, however many they are. */
  readonly mostBytes?: number | undefined
}

export interface StreamOptions {
  /** The most rows of a piece. */
  readonly pieceRows: number
  /** No row is added to a piece that has so many bytes, as far as they can be known. */
  readonly pieceBytes: number
}

/**
 * Who reads: `queries` of clients may take long and wait for each other; the gateway's own `records` are
 * read quickly and must not wait for them.
 */
export type ReadWorkload = 'queries' | 'records'

export interface StreamReadOptions {
  readonly workload?: ReadWorkload
  /** Cancelled when no one waits for the result any more: then what is running in the database is ended. */
  readonly cancellation?: CancellationToken | undefined
  /**
   * Whether statements read views, which may work for long without a row to show: they run where they can be ended
   * all the same. Other statements notice by themselves (`Syntax.cancellationCheck`).
   */
  readonly readsViews?: boolean
}

export interface ReadOptions extends StreamReadOptions {
  /** What statements see: all the same state of the data (`snapshot`), or each the newest (`statement`), which costs less. */
  readonly isolation?: 'snapshot' | 'statement'
  /**
   * Reads with the same key run the same statements with other values: how long one takes tells how long the next will.
   * With a key, a quick read may share its connection (`batching/`).
   */
  readonly batchKey?: object | undefined
}

export interface TransactionOptions {
  /** For changes of tables: its statements take as long as they need. */
  readonly unlimited?: boolean
  /** When no one waits for the change any more, it is not begun. What was begun goes on. */
  readonly cancellation?: CancellationToken | undefined
}

/** How a transaction is carried out at once. */
export interface AtOnceOptions extends Pick<TransactionOptions, 'cancellation'> {
  /** The values by which its row is found; if absent, the parameters of its last statement. Changes that come together are made in their order. */
  readonly key?: readonly unknown[]
}

/** What one of several statements has given. */
export interface StatementResult {
  readonly rows: RowSet
  /** How many rows it gave, or changed. */
  readonly count: number
}

/**
 * One connected database. `work` has a connection until it is done. Of a database that was opened by `openDatabase`, the
 * work of `read` and `transaction` may run several times (`run-again.ts`): only its last result counts.
 */
export interface Driver {
  /** For reading; other readers and the writer go on. */
  read<Result>(work: (connection: Connection) => Promise<Result>, options?: ReadOptions): Promise<Result>
  /** The same for work that passes on what it reads while it reads: it runs once. All statements see the same state of the data. */
  stream<Result>(
    work: (connection: StreamingConnection) => Promise<Result>,
    options?: StreamReadOptions,
  ): Promise<Result>
  /**
   * For reading and writing inside one transaction: committed and durable when `work` is done, undone when it throws. If the server does
   * not answer the commit, the error says `perhapsCommitted`.
   */
  transaction<Result>(
    work: (connection: Connection) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /**
   * The same for statements that are all known before the first result: one round trip to the server carries them, and the commit.
   * Undefined if the transaction was refused or not begun, so that nothing was changed: `transaction` tells why. Absent where it would
   * gain nothing.
   */
  readonly transactAtOnce?:
    | ((
        statements: readonly Statement[],
        options?: AtOnceOptions,
      ) => Promise<readonly StatementResult[] | undefined>)
    | undefined
  /** Tables have changed: statements that were prepared for them are not used again. Absent where the server sees to it. */
  readonly tablesChanged?: (() => void) | undefined
  /** How many connections work has now, and how many callers wait for one. */
  usage(): ConnectionUsage
  /** Waits for running work, then gives every connection back. */
  close(): Promise<void>
}

/** The connections of a driver. Reads that share a connection are not counted. */
export interface ConnectionUsage {
  readonly inUse: number
  readonly waiting: number
  /** How many may be in use at the same time. */
  readonly most: number
}

/** How long callers wait, on every product. */
export interface DriverLimits {
  /** How long one statement may take before it is ended in the database. */
  readonly statementTimeoutMs: number
  /** How long a caller waits for a connection when all are in use. */
  readonly waitMs: number
}

/** What the driver of any product is opened with. */
export interface DriverSettings extends DriverLimits {
  /**
   * Off, each read has its own connection, and the plain driver reads its rows: slower, to find out where a fault comes
   * from. On by default.
   */
  readonly fastReads?: boolean
}

/** What the driver of a database server is opened with. */
export interface ServerDriverSettings extends DriverSettings {
  /** Name or address of the server; or the path of its socket, for PostgreSQL of the folder of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  /** Name of the database. */
  readonly name: string
  /** Whether the connection is encrypted and the server's certificate verified. */
  readonly tls: boolean
  /** How many connections may be open; at least three. */
  readonly connections: number
}
