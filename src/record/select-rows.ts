import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { RowLock } from '../database/syntax.ts'
import { compileSelect } from '../query/compile-select.ts'
import type { Filter, TableRights } from '../query/filter.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { runSelect } from '../query/run-select.ts'
import type { SelectPlan } from '../query/select-plan.ts'
import type { Variables } from '../query/value-source.ts'

export interface RowSelection {
  readonly table: Table
  readonly columns: readonly Column[]
  /** The column that must hold one of `values`. */
  readonly column: Column
  readonly values: readonly SqlValue[]
  readonly reader?: Reader | undefined
}

/** For whom rows are read, if not for the gateway itself. */
export interface Reader {
  readonly rights: TableRights
  /** The values that they name. */
  readonly variables: Variables
}

/** The rows in which a column has one of some values, sorted by that column. */
export async function selectRows(
  { table, columns, column, values, reader }: RowSelection,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const orderBy = values.length > 1 ? [{ column, direction: 'asc' } as const] : []
  const filter = filterOf(column, values)
  return select({ table, columns, filter, orderBy, reader }, connection, dialect)
}

export interface SingleRowSelection extends Pick<RowSelection, 'table' | 'columns' | 'reader'> {
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
  const [row] = await select({ ...selection, filter: filterOfKey(key), orderBy: [] }, connection, dialect)
  return row
}

/** The rows that a filter selects, in any order. */
export function selectMatching(
  selection: Pick<RowSelection, 'table' | 'columns' | 'reader'>,
  filter: Filter,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  return select({ ...selection, filter, orderBy: [] }, connection, dialect)
}

/** The rows with some keys of the same columns, in any order; several statements, if these are many of several columns. */
export async function selectRowsOfKeys(
  selection: Pick<RowSelection, 'table' | 'columns' | 'reader'>,
  keys: readonly RowKey[],
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const some of parted(keys)) {
    for (const row of await selectMatching(selection, filterOfKeys(some), connection, dialect)) rows.push(row)
  }
  return rows
}

/** Databases limit the conditions of a statement. */
const keysAtOnce = 200

/** Keys of several columns in parts, for one statement each; others together. */
export function parted(keys: readonly RowKey[]): readonly (readonly RowKey[])[] {
  const isOneList = keys.every(({ length }) => length === 1)
  const size = isOneList ? Math.max(keys.length, 1) : keysAtOnce
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, part) =>
    keys.slice(part * size, (part + 1) * size),
  )
}

/** Selects the rows with some keys of the same columns. */
export function filterOfKeys(keys: readonly RowKey[]): Filter {
  const [first = []] = keys
  const [part] = first
  if (part === undefined || first.length > 1) return { kind: 'or', filters: keys.map(filterOfKey) }
  return filterOf(
    part.column,
    keys.map(([only]) => only?.value ?? null),
  )
}

/** Selects the row with a key. */
function filterOfKey(key: RowKey): Filter {
  const filters = key.map(({ column, value }) => filterOf(column, [value]))
  return filters[0] !== undefined && filters.length === 1 ? filters[0] : allOf(filters)
}

const allOf = (filters: readonly Filter[]): Filter => ({ kind: 'and', filters })

async function select(
  {
    reader,
    ...plan
  }: Pick<SelectPlan, 'table' | 'columns' | 'filter' | 'orderBy' | 'lock'> & Pick<RowSelection, 'reader'>,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const wanted = { rows: true, total: false, hasNextPage: false, hasPreviousPage: false }
  const compiled = compileSelect({ ...plan, rights: reader?.rights, page: {}, wanted }, dialect)
  const context = { variables: reader?.variables ?? {}, syntax: dialect.syntax }
  const [page] = await runSelect(connection, compiled, context)
  return page?.rows ?? []
}

/** One value is compared by equality, the fastest use of an index. */
function filterOf(column: Column, values: readonly SqlValue[]): Filter {
  const source = (value: unknown) => ({ kind: 'literal', value, label: column.name }) as const
  return values.length === 1
    ? { kind: 'compare', column, comparison: '==', value: source(values[0]) }
    : { kind: 'oneOf', column, negated: false, values: source(values), placeholders: 0 }
}
