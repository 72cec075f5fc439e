import { tableRights } from '../table-rights.ts'
import type { Table } from '../tables.ts'

/** A published table. */
export type PublishedTable = Table & { readonly api: NonNullable<Table['api']> }

/** Whether something can be done with many records of a table at once. */
export function hasBulk(table: Table): table is PublishedTable {
  const { DELETE, PATCH, PUT } = tableRights(table)
  return table.api !== null && (DELETE || PATCH || PUT)
}
