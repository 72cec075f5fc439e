import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { RowLock } from '../database/syntax.ts'
import { compileSelect } from '../query/compile-select.ts'
import type { Filter } from '../query/filter.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { runSelect } from '../query/run-select.ts'
import type { SelectPlan } from '../query/select-plan.ts'

export interface RowSelection {
  readonly table: Table
  readonly columns: readonly Column[]
  /** The column that must hold one of `values`. */
  readonly column: Column
  readonly values: readonly SqlValue[]
}

/** The rows in which a column has one of some values, sorted by that column. */
export async function selectRows(
  { table, columns, column, values }: RowSelection,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const orderBy = values.length > 1 ? [{ column, direction: 'asc' } as const] : []
  return select({ table, columns, filter: filterOf(column, values), orderBy }, connection, dialect)
}

export interface SingleRowSelection extends Pick<RowSelection, 'table' | 'columns'> {
  readonly key: RowKey
  /** Locks the row for the rest of the transaction. */
  readonly lock?: RowLock
}

/** The row whose columns hold these values. */
export async function selectRow(
  { key, ...selection }: SingleRowSelection,
  connection: Connection,
  dialect: Dialect,
): Promise<Row | undefined> {
  const filters = key.map(({ column, value }) => filterOf(column, [value]))
  const filter = filters[0] !== undefined && filters.length === 1 ? filters[0] : allOf(filters)
  const [row] = await select({ ...selection, filter, orderBy: [] }, connection, dialect)
  return row
}

const allOf = (filters: readonly Filter[]): Filter => ({ kind: 'and', filters })

async function select(
  plan: Pick<SelectPlan, 'table' | 'columns' | 'filter' | 'orderBy' | 'lock'>,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const wanted = { rows: true, total: false, hasNextPage: false, hasPreviousPage: false }
  const compiled = compileSelect({ ...plan, page: {}, wanted }, dialect)
  const [page] = await runSelect(connection, compiled, { variables: {}, syntax: dialect.syntax })
  return page?.rows ?? []
}

/** One value is compared by equality, the fastest use of an index. */
function filterOf(column: Column, values: readonly SqlValue[]): Filter {
  const source = (value: unknown) => ({ kind: 'literal', value, label: column.name }) as const
  return values.length === 1
    ? { kind: 'compare', column, comparison: '==', value: source(values[0]) }
    : { kind: 'oneOf', column, negated: false, values: source(values), withNull: false, placeholders: 0 }
}
