import type { DatabaseSync } from 'node:sqlite'
import type { Row, SqlValue } from '../../../sql-value.ts'
import type { PreparedStatements } from '../prepared-statements.ts'

/** The most rows that are read at once. */
const mostRows = 1001
/** The longest value that is read at once, in bytes. */
const longestValue = 16_384
/** How many statements with long results are remembered. */
const mostRemembered = 256

/**
 * Reads results of few rows with short values at once, which takes two thirds of the time of reading row by row: `npm
 * run bench -- --products SQLite --queries Q2,Q3`. SQLite itself refuses longer values
 * (https://www.sqlite.org/limits.html#max_length), so that the used memory stays small whatever is in the table. If
 * Node.js cannot set that limit, `rows` is always undefined.
 */
export class ShortResults {
  readonly #database: DatabaseSync
  readonly #prepared: PreparedStatements
  readonly #long = new Set<string>()

  constructor(database: DatabaseSync, prepared: PreparedStatements) {
    this.#database = database
    this.#prepared = prepared
  }

  /** All rows of the statement; undefined if they may be many or long, and have to be read one by one. */
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

/** SQL for the same rows with a small limit; undefined if their number is unknown. */
function withFewRows(sql: string, values: readonly SqlValue[]): string | undefined {
  const [end, position, count] = / limit (?:\?(\d+) \+ 0|(\d+))$/.exec(sql) ?? []
  if (end === undefined) return undefined
  if (position !== undefined) return Number(values[Number(position) - 1]) <= mostRows ? sql : undefined
  return Number(count) <= mostRows ? sql : `${sql.slice(0, -end.length)} limit ${mostRows}`
}
