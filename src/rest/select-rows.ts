import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection, Row, SqlValue } from '../database/driver.ts'
import { compileSelect } from '../query/compile-select.ts'
import type { Filter } from '../query/filter.ts'
import { runSelect } from '../query/run-select.ts'

export interface RowSelection {
  readonly table: Table
  readonly columns: readonly Column[]
  /** The column that must hold one of `values`. */
  readonly column: Column
  readonly values: readonly SqlValue[]
}

/** The rows in which a column holds one of some values, sorted by that column. */
export async function selectRows(
  { table, columns, column, values }: RowSelection,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const compiled = compileSelect(
    {
      table,
      columns,
      filter: filterOf(column, values),
      orderBy: values.length > 1 ? [{ column, direction: 'asc' }] : [],
      page: {},
      wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
    },
    dialect,
  )
  const [page] = await runSelect(connection, compiled, { variables: {}, syntax: dialect.syntax })
  return page?.rows ?? []
}

/** One value is compared plainly, which is what an index answers fastest. */
function filterOf(column: Column, values: readonly SqlValue[]): Filter {
  const source = (value: unknown) => ({ kind: 'literal', value, label: column.name }) as const
  return values.length === 1
    ? { kind: 'compare', column, comparison: '==', value: source(values[0]) }
    : { kind: 'oneOf', column, negated: false, values: source(values), withNull: false }
}
