import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { layoutOf } from './record-layout.ts'
import type { PublishedEntity } from './record-rules.ts'
import { notMade } from './refusal-of.ts'
import { selectRow } from './select-rows.ts'

/**
 * For an update or delete that met no row: throws if the row is as it was. A table may do something else instead, as to mark a row as
 * deleted.
 */
export async function requireMade(
  before: { readonly key: RowKey; readonly row: Row },
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<void> {
  const { columns, write } = layoutOf(entity)
  const now = await selectRow({ table: entity.table, columns, key: before.key }, connection, dialect)
  if (now !== undefined && write(now) === write(before.row)) throw notMade()
}
