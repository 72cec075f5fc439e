/** What can be done with one of many records, and how it is undone. */
import { randomId } from '../../components/random-id.ts'
import { changeCall } from '../edit/change-call.ts'
import { readStored, remove, write } from '../edit/record-calls.ts'
import type { RecordRights } from '../edit/record-rights.ts'
import { isSame } from '../edit/same.ts'
import { type RecordValues, type StoredRecord, storedOf, writableFields } from '../edit/stored-record.ts'
import { undoOfChange, undoOfDeletion } from '../edit/undo.ts'
import { apiPathOf, nameOfPath } from '../record-address.ts'
import type { Row } from '../rows.ts'
import { isJson } from '../show-value.ts'
import type { Table } from '../tables.ts'
import { CannotWrite, Changed } from './run-bulk.ts'

/** A record that was changed, before and after that, or one that was deleted. */
export type Written =
  | { readonly before: StoredRecord; readonly after: StoredRecord }
  | {
      readonly before: StoredRecord
      readonly after?: never
      /** With this key it is created again once, however often that is tried. */
      readonly undoKey: string
    }

export type BulkAction =
  | { readonly kind: 'delete' }
  | { readonly kind: 'change'; readonly changes: RecordValues }

/** The last part of the address of a record, for people. */
export function nameOfRow(table: Table, row: Row): string {
  return nameOfPath(apiPathOf(table, row.values) ?? '')
}

/** Writes a record, unless it is no longer as its row shows it. */
export async function actOn(
  row: Row,
  action: BulkAction,
  table: Table,
  rights: RecordRights,
): Promise<Written> {
  const path = apiPathOf(table, row.values)
  if (path === undefined) throw new Changed()
  const shown = storedOf(path, table, row)
  const before = rights.GET ? await readStored(path) : shown
  if (isOther(before, shown, table)) throw new Changed()
  if (action.kind === 'delete') {
    await remove(before)
    return { before, undoKey: randomId() }
  }
  const { changes } = action
  if (Object.entries(changes).every(([name, value]) => isSame(before.values[name], value))) {
    return { before, after: before }
  }
  const call = changeCall(before, changes, writableFields(table), rights)
  if (call === undefined) throw new CannotWrite()
  return { before, after: await write(call, table) }
}

/** Whether a record differs in what was shown of it. Values that have several forms are not compared. */
function isOther(stored: StoredRecord, shown: StoredRecord, { fields }: Table): boolean {
  return fields.some((field) => {
    const { api_name: name = '', kind } = field
    const value = shown.values[name]
    if (value === undefined || isJson(field) || kind === 'binary' || kind === 'other') return false
    return !isSame(stored.values[name], value)
  })
}

/** Takes back what was done to a record, unless someone has changed it meanwhile. */
export async function undo(written: Written, table: Table, rights: RecordRights): Promise<void> {
  const { before, after } = written
  if (after !== undefined && isSame(before.values, after.values)) return
  const call =
    after === undefined
      ? undoOfDeletion(table, before, rights, written.undoKey)
      : undoOfChange(table, before, after, rights)
  if (call === undefined) throw new CannotWrite()
  await write(call, table)
}

/** More are not kept for it. */
export const mostUndone = 1000

/** Whether what is done to some records can be undone. */
export function canUndo(action: BulkAction['kind'], count: number, rights: RecordRights): boolean {
  return count <= mostUndone && rights.GET && (action === 'change' || rights.POST)
}
