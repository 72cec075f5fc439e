import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Table } from '../tables.ts'
import { canBeImported } from './match-columns.ts'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

/** Brings the rows of a file into a table. Absent if the table is not published, or the roles do not allow it. */
export function ImportButton({ table }: { readonly table: Table }) {
  const { t } = useTranslation('transfer')
  const [isOpen, { open, close }] = useDisclosure()
  if (!canBeImported(table)) return null
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconUpload size={16} />} onClick={open}>
        {t('import.button')}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ImportDialog table={table} onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}
