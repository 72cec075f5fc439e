import type { DatabaseSync } from 'node:sqlite'
import type { Row, SqlValue } from '../../driver.ts'
import type { PreparedStatements } from './prepared-statements.ts'

/** No more rows are read at once. */
const mostRows = 1001
/** Nor values that are longer, in bytes. */
const longestValue = 16_384
/** Statements that are remembered because their answers are not short. */
const mostRemembered = 256

/**
 * Reads answers of few rows with short values at once, which takes two thirds of the time that it takes to read them row
 * by row: `npm run bench -- --products SQLite --queries Q2,Q3`. SQLite itself refuses values that are longer
 * (https://www.sqlite.org/limits.html#max_length), so that what is held stays small whatever is in the table.
 * Where Node.js cannot set that limit, `rows` is always undefined.
 */
export class ShortAnswers {
  readonly #database: DatabaseSync
  readonly #prepared: PreparedStatements
  readonly #long = new Set<string>()

  constructor(database: DatabaseSync, prepared: PreparedStatements) {
    this.#database = database
    this.#prepared = prepared
  }

  /** All rows of the statement; undefined where they may be many or long, and are to be read one by one. */
  rows(sql: string, values: readonly SqlValue[]): readonly Row[] | undefined {
    const { limits } = this.#database
    if (limits === undefined || this.#long.has(sql)) return undefined
    const text = withFewRows(sql, values)
    if (text === undefined) return undefined
    const usual = limits.length
    limits.length = longestValue
    try {
      const rows = this.#prepared.rows(text, values)
      if (text === sql || rows.length < mostRows) return rows
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== tooBig) throw error
    } finally {
      limits.length = usual
    }
    if (this.#long.size >= mostRemembered) this.#long.clear()
    this.#long.add(sql)
    return undefined
  }
}

/** https://www.sqlite.org/rescode.html#toobig */
const tooBig = 18

/** A text for the same rows that ends after a few of them; undefined where it is not known how many there may be. */
function withFewRows(sql: string, values: readonly SqlValue[]): string | undefined {
  const [end, position, count] = / limit (?:\?(\d+) \+ 0|(\d+))$/.exec(sql) ?? []
  if (end === undefined) return undefined
  if (position !== undefined) return Number(values[Number(position) - 1]) <= mostRows ? sql : undefined
  return Number(count) <= mostRows ? sql : `${sql.slice(0, -end.length)} limit ${mostRows}`
}
