/** Text for one database, with the values for its placeholders. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** What goes into a placeholder. Dates, decimals and JSON travel as text, lists as JSON text or as the dialect binds them. */
export type SqlValue = string | number | bigint | Uint8Array | null

/** A row by position, in the order of the select list. */
export type Row = readonly SqlValue[]

/** One connection, used by one caller at a time. Every method throws `DatabaseError`. */
export interface Connection {
  /** Runs a statement that answers with rows. */
  query(statement: Statement): Promise<readonly Row[]>
  /** Runs a statement that changes something; gives the number of rows it changed. */
  execute(statement: Statement): Promise<number>
}

/**
 * Who reads: `queries` of clients may take long and wait for each other; the gateway's own `records` are
 * read quickly and must not wait for them.
 */
export type Lane = 'queries' | 'records'

export interface Driver {
  /** A connection for reading; other readers and the writer go on. All statements in `work` see one state of the data. */
  read<Result>(work: (connection: Connection) => Promise<Result>, lane?: Lane): Promise<Result>
  /**
   * A connection for reading and writing inside one transaction: committed and durable when `work` is
   * done, undone when it throws.
   */
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Waits for running work, then gives every connection back. */
  close(): Promise<void>
}
