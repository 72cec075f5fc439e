import { createHash } from 'node:crypto'
import type { Column, Table } from '../database/database-schema.ts'
import type { OrderTerm } from './order-term.ts'

/** A short hash of the order of a table's rows; part of every cursor. */
export function orderTag(table: Table, orderBy: readonly OrderTerm[]): string {
  const terms = orderBy.map(({ column, direction }) => [
    column.name,
    direction,
    typeTag(column),
    column.storedApart ? 'stored' : 'shown',
  ])
  return createHash('sha256')
    .update(JSON.stringify([table.id, terms]))
    .digest('base64url')
    .slice(0, 6)
}

/** Columns that sort in the same way on every product have the same cursors there. */
function typeTag({ type, nativeType, portableOrder }: Column): string {
  return portableOrder ? type : `${type} ${nativeType}`
}
