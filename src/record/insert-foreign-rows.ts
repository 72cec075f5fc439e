/** New rows of adopted tables: the database supplies what was not sent, including the key. */
import type { Column } from '../database/database-schema.ts'
import { NeedsResult } from '../database/deferred-connection.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import type { FieldValues } from './check-record.ts'
import { layoutOf } from './record-layout.ts'
import type { RecordParts } from './record-parts.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { runMutate, sendMutate } from './run-mutate.ts'

/** Inserts rows, and returns their keys, in order; `pointerOf` names one of them in errors. */
export async function insertForeignRows(
  records: readonly FieldValues[],
  entity: PublishedEntity,
  connection: Connection,
  parts: RecordParts,
  pointerOf: (index: number) => string,
): Promise<readonly RowKey[]> {
  const { table } = entity
  const { dialect } = parts.database
  const key = rowKeyOf(entity)
  const keys: RowKey[] = []
  for (const { columns, values } of runsOf(records, layoutOf(entity).columns, key)) {
    const rows = values.map((record) => columns.map(({ name }) => record.get(name) ?? null))
    const returning = key.filter((column) => !columns.includes(column) || isReshaped(column))
    const plan = { kind: 'insert', table, columns, rows } as const
    let told: readonly Row[] = []
    if (parts.enclosing?.isDeferred && !values.every((record) => isKept(key, record))) throw new NeedsResult()
    if (returning.length === 0) await sendMutate(plan, connection, dialect, parts)
    else told = await runMutate({ ...plan, returning }, connection, dialect, parts)
    const isToldAll = returning.length > 0 && dialect.syntax.insertedKeys.by === 'returning'
    if (isToldAll && told.length < values.length)
      throw notKept(values.length === 1 ? pointerOf(keys.length) : '')
    for (const [index, record] of values.entries()) {
      const made = told[index] ?? []
      const keyValue = (column: Column) => made[returning.indexOf(column)] ?? record.get(column.name) ?? null
      keys.push(key.map((column) => ({ column, value: keyValue(column) })))
    }
  }
  return keys
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

/** Whether the key of a record is kept as it is, or refused: spaces at the end of a text may be cut. */
function isKept(key: readonly Column[], record: FieldValues): boolean {
  return key.every(({ name }) => {
    const value = record.get(name)
    return typeof value !== 'string' || !value.endsWith(' ')
  })
}

/** Whether the table may store a key of this type in another form: rounded, padded, or normalized. */
function isReshaped({ type }: Column): boolean {
  return !['string', 'uuid', 'integer', 'bigint', 'boolean', 'binary'].includes(type)
}
