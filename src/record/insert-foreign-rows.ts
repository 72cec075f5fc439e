/** New rows of adopted tables: the database supplies what was not sent, including the key. */
import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { FieldValues } from './check-record.ts'
import { layoutOf } from './record-layout.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { runMutate } from './run-mutate.ts'
import { selectRow, selectRows } from './select-rows.ts'
import { valueText } from './value-text.ts'

/** Inserts rows, and returns them as stored, in order. */
export async function insertForeignRows(
  records: readonly FieldValues[],
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const { table } = entity
  const key = rowKeyOf(entity)
  const keys: (readonly SqlValue[])[] = []
  for (const { columns, values } of runsOf(records, layoutOf(entity).columns, key)) {
    const rows = values.map((record) => columns.map(({ name }) => record.get(name) ?? null))
    const returning = key.filter((column) => !columns.includes(column) || isReshaped(column))
    const plan = { kind: 'insert', table, columns, rows, returning } as const
    const told = await runMutate(plan, connection, dialect)
    const isToldAll = returning.length > 0 && dialect.syntax.insertedKeys.by === 'returning'
    if (isToldAll && told.length < values.length) throw notKept()
    for (const [index, record] of values.entries()) {
      const made = told[index] ?? []
      keys.push(key.map((column) => made[returning.indexOf(column)] ?? record.get(column.name) ?? null))
    }
  }
  return rowsWithKeys(keys, entity, connection, dialect)
}

interface Run {
  /** The columns that all of them write. */
  readonly columns: readonly Column[]
  readonly values: FieldValues[]
}

/** Adjacent rows with the same columns, which one statement inserts; a row with a generated key is alone. */
function runsOf(
  records: readonly FieldValues[],
  columns: readonly Column[],
  key: readonly Column[],
): readonly Run[] {
  const runs: Run[] = []
  for (const values of records) {
    const last = runs.at(-1)
    const isKeyed = key.every(({ name }) => values.has(name))
    const isAlike = last?.columns.length === values.size && last.columns.every(({ name }) => values.has(name))
    if (isKeyed && isAlike) last.values.push(values)
    else runs.push({ columns: columns.filter(({ name }) => values.has(name)), values: [values] })
  }
  return runs
}

/** Whether the table may store a key of this type in another form: rounded, padded, or normalized. */
function isReshaped({ type }: Column): boolean {
  return !['string', 'uuid', 'integer', 'bigint', 'boolean', 'binary'].includes(type)
}

async function rowsWithKeys(
  keys: readonly (readonly SqlValue[])[],
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const { table } = entity
  const { columns, positionOf } = layoutOf(entity)
  const key = rowKeyOf(entity)
  const [column] = key
  const known = new Map<string, Row>()
  if (column !== undefined && key.length === 1 && keys.length > 1) {
    const values = keys.map(([value = null]) => value)
    for (const row of await selectRows({ table, columns, column, values }, connection, dialect)) {
      known.set(valueText(row[positionOf(column)] ?? null), row)
    }
  }
  const rows: Row[] = []
  for (const values of keys) {
    const parts = key.map((part, index) => ({ column: part, value: values[index] ?? null }))
    // The table may have stored the key in another form.
    const row =
      known.get(valueText(values[0] ?? null)) ??
      (await selectRow({ table, columns, key: parts }, connection, dialect))
    if (row === undefined) throw notKept()
    rows.push(row)
  }
  return rows
}
