/** What is done with many records, as calls that can be shown. */
import type { ShownCall } from '../../components/show-as.ts'
import { changeCall } from '../edit/change-call.ts'
import type { RecordRights } from '../edit/record-rights.ts'
import { type StoredRecord, storedOf, writableFields } from '../edit/stored-record.ts'
import { apiPathOf } from '../record-address.ts'
import type { Row } from '../rows.ts'
import type { BulkAction } from './bulk-actions.ts'
import type { PublishedTable } from './bulk-rights.ts'

/** More calls than these are not shown one by one. */
export const mostShown = 20

/** The calls for the first of some rows. */
export function callsForRows(
  rows: readonly Row[],
  action: BulkAction,
  table: PublishedTable,
  rights: RecordRights,
): readonly ShownCall[] {
  return rows.slice(0, mostShown).flatMap((row) => {
    const path = apiPathOf(table, row.values)
    const call = path === undefined ? undefined : callFor(storedOf(path, table, row), action, table, rights)
    return call === undefined ? [] : [call]
  })
}

/** The call for any record of a list: the names of the key stand for its values. None if it depends on the record. */
export function callsForAny(
  action: BulkAction,
  table: PublishedTable,
  rights: RecordRights,
): readonly ShownCall[] {
  const { path, key } = table.api
  const any = { path: `${path}/${key.map((name) => `{${name}}`).join(',')}`, values: {}, etag: undefined }
  const call = callFor(any, action, table, rights)
  return call === undefined ? [] : [call]
}

function callFor(
  record: StoredRecord,
  action: BulkAction,
  table: PublishedTable,
  rights: RecordRights,
): ShownCall | undefined {
  if (action.kind === 'delete') return { method: 'DELETE', path: record.path }
  return changeCall(record, action.changes, writableFields(table), rights)
}
