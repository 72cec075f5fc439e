import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { layoutOf } from './record-layout.ts'
import type { PublishedEntity } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { selectRow, selectRows } from './select-rows.ts'
import { valueText } from './value-text.ts'

/** New rows as stored, in the order of their keys. Throws if the table has not kept them. */
export async function selectNewRows(
  keys: readonly RowKey[],
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const { table } = entity
  const { columns, positionOf } = layoutOf(entity)
  const [first] = keys[0] ?? []
  const known = new Map<string, Row>()
  if (first !== undefined && keys[0]?.length === 1 && keys.length > 1) {
    const { column } = first
    const values = keys.map(([part]) => part?.value ?? null)
    for (const row of await selectRows({ table, columns, column, values }, connection, dialect)) {
      known.set(valueText(row[positionOf(column)] ?? null), row)
    }
  }
  const rows: Row[] = []
  for (const key of keys) {
    // The table may have stored the key in another form.
    const row =
      known.get(valueText(key[0]?.value ?? null)) ??
      (await selectRow({ table, columns, key }, connection, dialect))
    if (row === undefined) throw notKept()
    rows.push(row)
  }
  return rows
}
