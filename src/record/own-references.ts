/** References of a record to itself. */
import type { Column } from '../database/database-schema.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { layoutOf } from './record-layout.ts'
import type { PublishedEntity } from './record-rules.ts'

/** Null for the columns by which a row refers to itself, as far as they may be null. */
export function ownReferencesOf(row: Row, entity: PublishedEntity): ReadonlyMap<Column, SqlValue> {
  const { table } = entity
  const names = layoutOf(entity).columns.map(({ name }) => name)
  const held = (name: string) => row[names.indexOf(name)] ?? null
  const cleared = new Map<Column, SqlValue>()
  for (const { columns, referencedTable, referencedColumns } of table.foreignKeys) {
    const isOwn = columns.every((name, index) => {
      const value = held(name)
      return value !== null && value === held(referencedColumns[index] ?? '')
    })
    const nullable = table.columns.get(columns.find((name) => table.columns.get(name)?.nullable) ?? '')
    if (referencedTable === table.id && isOwn && nullable !== undefined) cleared.set(nullable, null)
  }
  return cleared
}
