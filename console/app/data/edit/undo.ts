/** Takes changes of records back. */
import type { Table } from '../tables.ts'
import { changeCall } from './change-call.ts'
import type { RecordRights } from './record-rights.ts'
import { isSame } from './same.ts'
import {
  createCall,
  newRecordFields,
  type StoredRecord,
  type WriteCall,
  writableFields,
} from './stored-record.ts'

/** Gives a changed record the values that it had, unless someone has changed it meanwhile; undefined if no call does. */
export function undoOfChange(
  table: Table,
  before: StoredRecord,
  after: StoredRecord,
  rights: RecordRights,
): WriteCall | undefined {
  const fields = writableFields(table)
  const known = fields.filter(({ api_name: name }) => Object.hasOwn(before.values, name))
  const changed = known.filter(({ api_name: name }) => !isSame(before.values[name], after.values[name]))
  const changes = Object.fromEntries(changed.map(({ api_name: name }) => [name, before.values[name]]))
  return changeCall(after, changes, fields, rights)
}

/** Creates a deleted record again; undefined if the roles do not allow it. With the same key it does so once. */
export function undoOfDeletion(
  table: Table,
  deleted: StoredRecord,
  rights: RecordRights,
  key: string,
): WriteCall | undefined {
  if (!rights.POST || table.api === null) return undefined
  const known = newRecordFields(table).filter(({ api_name: name }) => Object.hasOwn(deleted.values, name))
  return createCall(
    table.api,
    Object.fromEntries(known.map(({ api_name: name }) => [name, deleted.values[name]])),
    key,
  )
}
