import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLoaded } from '../../components/use-loaded.ts'
import type { ExportDialogProps } from './export-dialog.tsx'

const load = async () => (await import('./export-dialog.tsx')).ExportDialog

/** Takes the rows that a grid lists away as a file. */
export function ExportButton(props: Omit<ExportDialogProps, 'onClose'>) {
  const { t } = useTranslation('transfer')
  const { Opened: ExportDialog, open, close } = useLoaded(load)
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconDownload size={16} />} onClick={open}>
        {t('export.button')}
      </Button>
      {ExportDialog === undefined ? null : <ExportDialog {...props} onClose={close} />}
    </>
  )
}
