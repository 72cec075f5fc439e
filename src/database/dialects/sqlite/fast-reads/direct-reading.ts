import type { DatabaseSync } from 'node:sqlite'
import { ListedRows, type RowSet } from '../../../row-set.ts'
import type { Row, SqlValue } from '../../../sql-value.ts'
import { cancellationCheckFunction } from '../connection-calls.ts'
import { openConnection } from '../open-connection.ts'
import { PreparedStatements } from '../prepared-statements.ts'

/**
 * Reads single rows by their keys in the caller's thread: faster than asking another thread, and never slow. Only the
 * first read in each turn of the event loop runs here; others go to the other threads, which work in parallel, and so
 * do statements that SQLite would not run by an index alone, or that fail.
 */
export class DirectReading {
  readonly #file: string
  #connection: { readonly database: DatabaseSync; readonly prepared: PreparedStatements } | undefined
  #hasReadInTurn = false
  /** Whether a statement finds its row by an index alone, by its SQL. */
  readonly #isByIndex = new Map<string, boolean>()

  constructor(file: string) {
    this.#file = file
  }

  /** The rows of a statement that has at most one row; undefined if it has to run elsewhere. */
  select(sql: string, values: readonly SqlValue[]): RowSet | undefined {
    if (this.#hasReadInTurn) return undefined
    try {
      this.#connection ??= open(this.#file)
      if (!this.#isFoundByIndex(sql, values, this.#connection.database)) return undefined
      this.#hasReadInTurn = true
      setImmediate(() => {
        this.#hasReadInTurn = false
      })
      return new ListedRows(this.#connection.prepared.rows(sql, values).map(withBuffers))
    } catch {
      // The other thread reports the error.
      return undefined
    }
  }

  close(): void {
    this.#connection?.database.close()
    this.#connection = undefined
  }

  /** https://www.sqlite.org/eqp.html */
  #isFoundByIndex(sql: string, values: readonly SqlValue[], database: DatabaseSync): boolean {
    const known = this.#isByIndex.get(sql)
    if (known !== undefined) return known
    const steps = database.prepare(`explain query plan ${sql}`).all(...values)
    const isByIndex = steps.every(({ detail }) => String(detail).startsWith('SEARCH '))
    if (this.#isByIndex.size >= keptPlans) this.#isByIndex.clear()
    this.#isByIndex.set(sql, isByIndex)
    return isByIndex
  }
}

const keptPlans = 256

/** Bytes in the type that other rows have. */
function withBuffers(row: Row): Row {
  return row.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  )
}

/** It does not wait for locks: a writer may briefly delay other threads only. */
function open(file: string) {
  const database = openConnection(file, 0)
  database.function(cancellationCheckFunction, () => 1)
  return { database, prepared: new PreparedStatements(database) }
}
