import type { Table } from '../../database/database-schema.ts'
import { type ReadRights, readRightsOf } from '../../record/record-rights.ts'
import type { Grant } from './grants.ts'

/** What grants let be read of a table, in whose rows the columns of the key are never null; undefined for everything. */
export function readRightsFor(
  grants: readonly Grant[],
  table: Table,
  key: readonly { readonly name: string }[],
): ReadRights | undefined {
  const names = new Set(key.map(({ name }) => name))
  return readRightsOf(
    grants.map(({ read }) => read),
    table.columns.keys(),
    names,
  )
}
