import { Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Refusal } from '../../../../browser/refusal.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifyFailed } from '../../components/notify.ts'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import { pathOfTable } from '../table-view.ts'
import type { Table } from '../tables.ts'
import { refreshRows } from './find-row.ts'
import { deleteCall, remove } from './record-calls.ts'
import type { RecordRights } from './record-rights.ts'
import type { StoredRecord } from './stored-record.ts'
import { useSavedNotice } from './use-saved-notice.ts'

interface DeleteRecordProps {
  readonly table: Table
  /** What the record is called in the question. */
  readonly title: string
  /** The record as it is shown. */
  readonly shown: StoredRecord
  readonly rights: RecordRights
}

/** Deletes the record after it has asked. A record that someone has changed meanwhile must be looked at again. */
export function DeleteRecord({ table, title, shown, rights }: DeleteRecordProps) {
  const { t } = useTranslation('data')
  const navigate = useNavigate()
  const notice = useSavedNotice(table)
  const client = useQueryClient()
  const [asked, setAsked] = useState<StoredRecord>()

  async function confirm(): Promise<void> {
    if (asked === undefined) return
    try {
      await remove(asked)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 412) throw error
      // Nobody deletes what they have not seen.
      notifyFailed(t('edit.overtaken'))
      return refreshRows(client, table)
    }
    await navigate(pathOfTable(table.name))
    notice.deleted(asked, rights)
  }

  return (
    <>
      <Button
        color="red"
        variant="outline"
        leftSection={<IconTrash size={16} />}
        onClick={() => setAsked(shown)}
      >
        {t('edit.delete')}
      </Button>
      {asked === undefined ? null : (
        <ConfirmDialog
          title={t('edit.deleteOf', { title })}
          action={t('edit.delete')}
          onConfirm={confirm}
          onClose={() => setAsked(undefined)}
        >
          <Text>{t(rights.POST ? 'edit.deleteText' : 'edit.deleteForEver')}</Text>
          <ShowAsButton call={deleteCall(asked)} />
        </ConfirmDialog>
      )}
    </>
  )
}
