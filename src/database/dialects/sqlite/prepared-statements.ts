import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row, SqlValue } from '../../driver.ts'

const preparedLimit = 256

/** The prepared statements of one connection: as many as are kept, and the ones used last. */
export class PreparedStatements {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** The statement with this text, whose rows come as lists. */
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

  /** Runs a statement, and gives all of its rows. */
  rows(sql: string, values: readonly SQLInputValue[]): readonly Row[] {
    return readExactly(this.statement(sql), (statement, areExact) => {
      const rows = statement.all(...values) as unknown as readonly Row[]
      if (areExact) return rows.map(withPlainNumbers)
      for (const row of rows) for (const value of row) assertExact(value)
      return rows
    })
  }

  /**
   * Runs a statement, and lets `read` take as many of its rows as it wants, one by one; perhaps twice. Unless the rows are
   * exact, it calls `assertExact` on their numbers.
   */
  take<Result>(
    sql: string,
    values: readonly SQLInputValue[],
    read: (rows: Iterator<Row, unknown>, areExact: boolean) => Result,
  ): Result {
    return readExactly(this.statement(sql), (statement, areExact) => {
      const rows = statement.iterate(...values) as unknown as IteratorObject<Row, undefined>
      try {
        return read(areExact ? rows.map(withPlainNumbers) : rows, areExact)
      } finally {
        rows.return?.()
      }
    })
  }
}

const lowest = -(2 ** 63)

/** Throws for the only whole number of 64 bits beyond the safe ones that Node.js reads as a number all the same. */
export function assertExact(value: SqlValue): void {
  if (value === lowest) throw Object.assign(new RangeError('The number is not exact.'), { code: notExact })
}

/** The code of the error of Node.js for a whole number that is not safe. */
const notExact = 'ERR_OUT_OF_RANGE'

/** A whole number that JavaScript's numbers do not hold exactly makes all whole numbers of the answer be read again. */
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

/** Whole numbers as numbers, and as text where those would lose digits. */
export function withPlainNumbers(row: Row): Row {
  return row.map((value) => {
    if (typeof value !== 'bigint') return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  })
}
