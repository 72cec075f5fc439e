import type { Table } from '../../database-schema.ts'
import { standardSyntax } from '../standard-syntax.ts'

const { quoteIdentifier, quoteTable } = standardSyntax

/**
 * Whether a select in parentheses loses the name of a column: `sqlite3ColumnsFromExprList` in
 * https://www.sqlite.org/src/file/src/select.c gives one that is called `true` or `false` another name.
 */
function isLost(name: string): boolean {
  return /^(?:true|false)$/i.test(name)
}

/** Whether a table has columns that are read by other names. */
export function hasRenamedColumns({ columns }: Pick<Table, 'columns'>): boolean {
  return [...columns.keys()].some(isLost)
}

/** The quoted name by which selects read a column. */
export function renamedColumn(name: string): string {
  return quoteIdentifier(isLost(name) ? `gatehouse_${name}` : name)
}

/** The table in which columns have these names. SQLite reads the select as it reads the table, with the same indexes. */
export function tableWithRenamed(table: Table): string {
  if (!hasRenamedColumns(table)) return quoteTable(table)
  const { columns, rowNumber } = table
  const more = [
    ...(rowNumber === undefined ? [] : [quoteIdentifier(rowNumber.name)]),
    ...[...columns.keys()].filter(isLost).map((name) => `${quoteIdentifier(name)} as ${renamedColumn(name)}`),
  ]
  return `(select *, ${more.join(', ')} from ${quoteTable(table)})`
}
