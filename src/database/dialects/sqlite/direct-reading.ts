import type { DatabaseSync } from 'node:sqlite'
import type { Row, SqlValue } from '../../driver.ts'
import { ListedRows, type RowSet } from '../../row-set.ts'
import { openConnection } from './open-connection.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { cancellationCheckFunction } from './worker-protocol.ts'

/**
 * Reads single rows by their keys in the thread of the caller: that takes less time than to ask another thread, and never
 * long. What comes when something was read already before the event loop goes on is left to the other threads, which work
 * beside this one; so is what SQLite would look for in any other way than by an index, and what fails.
 */
export class DirectReading {
  readonly #file: string
  #connection: { readonly database: DatabaseSync; readonly prepared: PreparedStatements } | undefined
  #hasReadInTurn = false
  /** Whether a statement finds its row by an index alone, by its text. */
  readonly #isByIndex = new Map<string, boolean>()

  constructor(file: string) {
    this.#file = file
  }

  /** The rows of a statement that has one row at most; undefined where it is to run elsewhere. */
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
      // Whoever runs it elsewhere is told what is wrong.
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

/** Bytes as other rows have them. */
function withBuffers(row: Row): Row {
  return row.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  )
}

/** It does not wait for others: a writer that is in the way for a moment holds up only other threads. */
function open(file: string) {
  const database = openConnection(file, 0)
  database.function(cancellationCheckFunction, () => 1)
  return { database, prepared: new PreparedStatements(database) }
}
