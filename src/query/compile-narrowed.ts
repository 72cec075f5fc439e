import type { Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import { columnOf, compileFilter } from './compile-filter.ts'
import type { TableRights } from './table-rights.ts'

/**
 * A select, in parentheses, of what the caller may read of a table: whatever is asked of it sees no other row, and null
 * where a field is not given.
 */
export function compileNarrowed(
  table: Table,
  { rows, masks }: TableRights,
  alias: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  const columns = [...table.columns.values(), ...(table.rowNumber ? [table.rowNumber] : [])]
  const selected = columns.map((column) => {
    const own = columnOf(column, alias, dialect)
    const mask = masks.get(column.name)
    const name = raw(dialect.syntax.quoteIdentifier(column.name))
    const value =
      mask === undefined
        ? own
        : sql<Binding>`case when ${compileFilter(mask, alias, dialect)} then ${own} end`
    return sql<Binding>`${value} as ${name}`
  })
  const where = rows === undefined ? raw('') : sql<Binding>` where ${compileFilter(rows, alias, dialect)}`
  return sql<Binding>`(select ${join(selected, ', ')} from ${raw(`${dialect.syntax.quoteTable(table)} ${alias}`)}${where})`
}
