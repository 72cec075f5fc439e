import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportDialogProps } from './export-dialog.tsx'

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

/** Takes the rows that a grid lists away as a file. */
export function ExportButton(props: Omit<ExportDialogProps, 'onClose'>) {
  const { t } = useTranslation('transfer')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconDownload size={16} />} onClick={open}>
        {t('export.button')}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ExportDialog {...props} onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}
