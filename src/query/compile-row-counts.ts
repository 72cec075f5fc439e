import type { Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import { compileFilter, readTable } from './compile-filter.ts'
import type { Filter } from './filter.ts'
import { alias } from './select-parts.ts'
import type { StatementTemplate } from './statement-template.ts'

/** Which rows to count. */
export interface RowCount {
  /** Indexes of tests that select them. */
  readonly by: readonly number[]
  /** Indexes of tests that do not. */
  readonly notBy: readonly number[]
}

/** A statement that counts the rows of a table that some filters select, and others do not. */
export interface RowCountsPlan {
  readonly table: Table
  /** Undefined selects every row. */
  readonly tests: readonly (Filter | undefined)[]
  readonly counts: readonly RowCount[]
}

/** The statement of a plan: one row with the counts, which are null for a table without rows. */
export function compileRowCounts(
  { table, tests, counts }: RowCountsPlan,
  dialect: Dialect,
): StatementTemplate {
  const { syntax } = dialect
  const tested = tests.map((test, index): SqlFragment<Binding> => {
    const name = raw(` as ${testName(index)}`)
    return test === undefined
      ? sql<Binding>`1${name}`
      : sql<Binding>`case when ${compileFilter(test, alias, dialect)} then 1 else 0 end${name}`
  })
  const sums = counts.map(({ by, notBy }) => {
    const conditions = [
      ...by.map((index) => `${testName(index)} = 1`),
      ...notBy.map((index) => `${testName(index)} = 0`),
    ]
    return `sum(case when ${conditions.join(' and ')} then 1 else 0 end)`
  })
  const from = raw(`${readTable(table, dialect)} ${alias}`)
  const { sql: text, parameters } = render(
    sql<Binding>`select ${raw(sums.join(', '))} from (select ${join<Binding>(tested, ', ')} from ${from}) tested`,
    syntax.placeholder,
  )
  return { sql: text, bindings: parameters }
}

function testName(index: number): string {
  return `test_${index}`
}
