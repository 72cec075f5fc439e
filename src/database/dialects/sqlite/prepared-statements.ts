import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row, SqlValue } from '../../sql-value.ts'

const preparedLimit = 256

/** The prepared statements of one connection: a limited number, the least recently used is dropped first. */
export class PreparedStatements {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** The statement with this SQL, whose rows are returned as arrays. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    this.#statements.set(sql, statement)
    if (this.#statements.size > preparedLimit) {
      this.#statements.delete(this.#statements.keys().next().value ?? '')
    }
    return statement
  }

  /** Runs a statement that changes something, and returns of how many rows. */
  run(sql: string, values: readonly SQLInputValue[]): number {
    return Number(this.statement(sql).run(...bound(values)).changes)
  }

  /** Runs a statement, and returns all of its rows. */
  rows(sql: string, values: readonly SQLInputValue[]): readonly Row[] {
    return readExactly(this.statement(sql), (statement, areExact) => {
      const rows = statement.all(...bound(values)) as unknown as readonly Row[]
      if (areExact) return rows.map(withPlainNumbers)
      for (const row of rows) for (const value of row) assertExact(value)
      return rows
    })
  }

  /**
   * Runs a statement, and lets `read` take as many of its rows as it wants, one by one; possibly twice. Unless the
   * rows are exact, it calls `assertExact` on their numbers.
   */
  take<Result>(
    sql: string,
    values: readonly SQLInputValue[],
    read: (rows: Iterator<Row, unknown>, areExact: boolean) => Result,
  ): Result {
    return readExactly(this.statement(sql), (statement, areExact) => {
      const rows = statement.iterate(...bound(values)) as unknown as IteratorObject<Row, undefined>
      try {
        return read(areExact ? rows.map(withPlainNumbers) : rows, areExact)
      } finally {
        rows.return?.()
      }
    })
  }
}

/**
 * Values as they are bound. Some versions of Node.js bind bytes of no length as null if they came from another thread, because
 * their memory has no address.
 */
export function bound(values: readonly SQLInputValue[]): readonly SQLInputValue[] {
  const isEmpty = (value: SQLInputValue) => value instanceof Uint8Array && value.length === 0
  return values.some(isEmpty) ? values.map((value) => (isEmpty(value) ? new Uint8Array(0) : value)) : values
}

const lowest = -(2 ** 63)

/** Throws for the only unsafe 64-bit integer that Node.js reads as a number without an error. */
export function assertExact(value: SqlValue): void {
  if (value === lowest) throw Object.assign(new RangeError('The number is not exact.'), { code: notExact })
}

/** The error code of Node.js for an unsafe integer. */
const notExact = 'ERR_OUT_OF_RANGE'

/** If an integer is unsafe in JavaScript, all integers of the result are read again, exactly. */
function readExactly<Result>(
  statement: StatementSync,
  read: (statement: StatementSync, areExact: boolean) => Result,
): Result {
  try {
    return read(statement, false)
  } catch (error) {
    if ((error as { code?: string }).code !== notExact) throw error
  }
  statement.setReadBigInts(true)
  try {
    return read(statement, true)
  } finally {
    statement.setReadBigInts(false)
  }
}

/** Integers as numbers, or as texts if numbers would lose digits. */
export function withPlainNumbers(row: Row): Row {
  return row.map((value) => {
    if (typeof value !== 'bigint') return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  })
}
