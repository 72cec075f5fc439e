import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLoaded } from '../../components/use-loaded.ts'
import type { Table } from '../tables.ts'
import { canBeImported } from './match-columns.ts'

const load = async () => (await import('./import-dialog.tsx')).ImportDialog

/** Brings the rows of a file into a table. Absent if the table is not published, or the roles do not allow it. */
export function ImportButton({ table }: { readonly table: Table }) {
  const { t } = useTranslation('transfer')
  const { Opened: ImportDialog, open, close } = useLoaded(load)
  if (!canBeImported(table)) return null
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconUpload size={16} />} onClick={open}>
        {t('import.button')}
      </Button>
      {ImportDialog === undefined ? null : <ImportDialog table={table} onClose={close} />}
    </>
  )
}
