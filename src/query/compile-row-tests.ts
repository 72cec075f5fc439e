import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { RowLock } from '../database/syntax.ts'
import type { Binding } from './binding.ts'
import { columnOf, compileFilter, readTable } from './compile-filter.ts'
import type { Filter } from './filter.ts'
import { alias } from './select-parts.ts'
import type { StatementTemplate } from './statement-template.ts'

/** A statement that says of some rows which filters select them. */
export interface RowTestsPlan {
  readonly table: Table
  /** Columns of the result, before the tests. */
  readonly columns: readonly Column[]
  /** Undefined selects every row. */
  readonly tests: readonly (Filter | undefined)[]
  /** The rows that are tested. */
  readonly filter: Filter
  readonly lock?: RowLock
}

/** The statement of a plan: the columns of each row, then 1 or 0 for each test. */
export function compileRowTests(
  { table, columns, tests, filter, lock }: RowTestsPlan,
  dialect: Dialect,
): StatementTemplate {
  const { syntax } = dialect
  const read = columns.map((column) => syntax.readColumn(column, columnOf(column, alias, dialect)))
  const results = tests.map(
    (test): SqlFragment<Binding> =>
      test === undefined
        ? raw('1')
        : sql<Binding>`case when ${compileFilter(test, alias, dialect)} then 1 else 0 end`,
  )
  const selected = join<Binding>([...read, ...results], ', ')
  const where = compileFilter(filter, alias, dialect)
  const end = raw(lock === undefined ? '' : syntax.rowLock[lock])
  const { sql: text, parameters } = render(
    sql<Binding>`select ${selected} from ${raw(`${readTable(table, dialect)} ${alias}`)} where ${where}${end}`,
    syntax.placeholder,
  )
  return { sql: text, bindings: parameters }
}
