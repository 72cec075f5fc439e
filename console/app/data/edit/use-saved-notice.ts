import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../../components/notify.ts'
import { notifyWithUndo } from '../../components/notify-undo.tsx'
import { randomId } from '../../components/random-id.ts'
import { tableRights } from '../table-rights.ts'
import type { Table } from '../tables.ts'
import { refreshRows } from './find-row.ts'
import { remove, write } from './record-calls.ts'
import type { RecordRights } from './record-rights.ts'
import type { StoredRecord } from './stored-record.ts'
import { undoOfChange, undoOfDeletion } from './undo.ts'

/** Says that a record was written, and offers to take that back where the roles allow it. */
export function useSavedNotice(table: Table) {
  const { t } = useTranslation('data')
  const client = useQueryClient()
  const { DELETE: mayDelete } = tableRights(table)

  function tell(message: string, undo: (() => Promise<unknown>) | undefined): void {
    void refreshRows(client, table)
    if (undo === undefined) {
      notifyDone(message)
      return
    }
    notifyWithUndo({
      message,
      label: t('edit.undo'),
      async undo() {
        await undo().finally(() => refreshRows(client, table))
        notifyDone(t('edit.undone'))
      },
    })
  }

  return {
    created: (record: StoredRecord) => tell(t('edit.created'), mayDelete ? () => remove(record) : undefined),
    changed(before: StoredRecord, after: StoredRecord, rights: RecordRights) {
      // What it was before is not known of these.
      const mayBeUnread = table.unread_fields.length > 0
      // Everything was left as others have it.
      const isSame = before.etag !== undefined && before.etag === after.etag
      if (isSame && !mayBeUnread) return void refreshRows(client, table)
      const call = mayBeUnread ? undefined : undoOfChange(table, before, after, rights)
      tell(t('edit.changed'), call && (() => write(call, table)))
    },
    deleted(record: StoredRecord, rights: RecordRights) {
      const call = undoOfDeletion(table, record, rights, randomId())
      tell(t('edit.deleted'), call && (() => write(call, table)))
    },
  }
}
