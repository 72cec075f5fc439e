import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { layoutOf } from './record-layout.ts'
import type { PublishedEntity } from './record-rules.ts'
import { notKept } from './refusal-of.ts'
import { selectRow, selectRowsOfKeys } from './select-rows.ts'
import { identityOf } from './value-text.ts'

/** New rows as stored, in the order of their keys. Throws if the table has not kept them; `pointerOf` names one of them. */
export async function selectNewRows(
  keys: readonly RowKey[],
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
  pointerOf: (index: number) => string,
): Promise<readonly Row[]> {
  const { table } = entity
  const { columns, positionOf } = layoutOf(entity)
  const keyColumns = keys[0]?.map(({ column }) => column) ?? []
  const known = new Map<string, Row>()
  if (keys.length > 1) {
    for (const row of await selectRowsOfKeys({ table, columns }, keys, connection, dialect)) {
      known.set(identityOf(keyColumns.map((column) => row[positionOf(column)] ?? null)), row)
    }
  }
  const rows: Row[] = []
  for (const [index, key] of keys.entries()) {
    // The table may have stored the key in another form.
    const row =
      known.get(identityOf(key.map(({ value }) => value))) ??
      (await selectRow({ table, columns, key }, connection, dialect))
    if (row === undefined) throw notKept(pointerOf(index))
    rows.push(row)
  }
  return rows
}
