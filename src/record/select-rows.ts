import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { RowLock } from '../database/syntax.ts'
import { type CompiledSelect, compileSelect } from '../query/compile-select.ts'
import type { Filter, TableRights } from '../query/filter.ts'
import { KeptStatements } from '../query/kept-statements.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { runSelect, selectPages } from '../query/run-select.ts'
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

export interface SingleRowSelection extends Pick<RowSelection, 'table' | 'columns' | 'reader'>, Locking {
  readonly key: RowKey
}

interface Locking {
  /** Locks the rows for the rest of the transaction. */
  readonly lock?: RowLock
}

/** The row whose columns hold these values. */
export async function selectRow(
  { key, reader, ...selection }: SingleRowSelection,
  connection: Connection,
  dialect: Dialect,
): Promise<Row | undefined> {
  if (reader !== undefined) {
    const [row] = await select(
      { ...selection, reader, filter: filterOfKey(key), orderBy: [] },
      connection,
      dialect,
    )
    return row
  }
  const identity = `${selection.table.id}\0${selection.lock}\0${key.map(({ column }) => column.name).join('\0')}`
  const compiled = selectsOfRow.get(selection.columns, dialect.syntax, identity, () =>
    compileSelect({ ...planOfRows, ...selection, filter: filterOfKey(key, keyVariable) }, dialect),
  )
  const variables = { [keyVariable]: key.map(({ value }) => value) }
  const [page] = await runSelect(connection, compiled, { variables, syntax: dialect.syntax })
  return page?.rows[0]
}

/** Selects of one row, by the columns that they read. */
const selectsOfRow = new KeptStatements<readonly Column[], CompiledSelect>(20)

const keyVariable = 'key'

/** The rows that a filter selects, in any order. */
export function selectMatching(
  selection: Pick<RowSelection, 'table' | 'columns' | 'reader'> & Locking,
  filter: Filter,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  return select({ ...selection, filter, orderBy: [] }, connection, dialect)
}

/** The rows with some keys of the same columns, in any order; several statements, if these are many of several columns. */
export async function selectRowsOfKeys(
  selection: Pick<RowSelection, 'table' | 'columns' | 'reader'> & Locking,
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

/** For each of some keys, whether there is a row to which the table would let it refer: by the comparison of the database. */
export async function areReferredTo(
  { reader, ...selection }: Pick<RowSelection, 'table' | 'columns' | 'reader'>,
  keys: readonly (readonly SqlValue[])[],
  connection: Connection,
  dialect: Dialect,
): Promise<readonly boolean[]> {
  if (keys.length === 0) return []
  const plan = { ...planOfRows, ...selection, orderBy: [], keyColumns: selection.columns }
  const compiled = compileSelect({ ...plan, rights: reader?.rights }, dialect)
  const context = { variables: reader?.variables ?? {}, syntax: dialect.syntax, keys }
  return (await selectPages(connection, compiled, context)).map(({ count }) => count > 0)
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
  if (part === undefined || first.length > 1)
    return { kind: 'or', filters: keys.map((key) => filterOfKey(key)) }
  return filterOf(
    part.column,
    keys.map(([only]) => only?.value ?? null),
  )
}

/** Selects the row with a key; with the key that a variable holds, if one is named. */
function filterOfKey(key: RowKey, variable?: string): Filter {
  const filters = key.map(({ column, value }, part): Filter => {
    if (variable === undefined) return filterOf(column, [value])
    const source = { kind: 'variable', path: [variable, part], label: column.name } as const
    return { kind: 'compare', column, comparison: '==', value: source }
  })
  return filters[0] !== undefined && filters.length === 1 ? filters[0] : allOf(filters)
}

const allOf = (filters: readonly Filter[]): Filter => ({ kind: 'and', filters })

const planOfRows = {
  rights: undefined,
  page: {},
  orderBy: [],
  wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
} as const

async function select(
  {
    reader,
    ...plan
  }: Pick<SelectPlan, 'table' | 'columns' | 'filter' | 'orderBy' | 'lock'> & Pick<RowSelection, 'reader'>,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const compiled = compileSelect({ ...planOfRows, ...plan, rights: reader?.rights }, dialect)
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
