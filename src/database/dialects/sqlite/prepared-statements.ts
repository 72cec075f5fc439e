import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row } from '../../driver.ts'

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
    return readAnew(this.statement(sql), (statement, isAnew) => {
      const rows = statement.all(...values) as unknown as readonly Row[]
      return isAnew ? rows.map(withPlainNumbers) : rows
    })
  }

  /** Runs a statement, and lets `read` take as many of its rows as it wants, one by one; perhaps twice. */
  take<Result>(
    sql: string,
    values: readonly SQLInputValue[],
    read: (rows: Iterator<Row, unknown>) => Result,
  ): Result {
    return readAnew(this.statement(sql), (statement, isAnew) => {
      const rows = statement.iterate(...values) as unknown as IteratorObject<Row, undefined>
      try {
        return read(isAnew ? rows.map(withPlainNumbers) : rows)
      } finally {
        rows.return?.()
      }
    })
  }
}

/** A whole number that JavaScript's numbers do not hold exactly makes all whole numbers of the answer be read anew. */
function readAnew<Result>(
  statement: StatementSync,
  read: (statement: StatementSync, isAnew: boolean) => Result,
): Result {
  try {
    return read(statement, false)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error
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
