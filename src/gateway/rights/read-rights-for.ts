import type { Table } from '../../database/database-schema.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import { type ReadRights, readRightsOf } from '../../record/record-rights.ts'
import type { Grant } from './grants.ts'

/**
 * What grants let be read of a table, by published APIs and by GraphQL; undefined for everything. The columns of the table's
 * key are never null in its rows, since their GlobalIds tell them. An identifier of an uploaded entity is none of them.
 */
export function readRightsFor(grants: readonly Grant[], table: Table): ReadRights | undefined {
  const keyNames = new Set(keyColumnsOf(table).map(({ name }) => name))
  return readRightsOf(
    grants.map(({ read }) => read),
    table.columns.keys(),
    keyNames,
  )
}
