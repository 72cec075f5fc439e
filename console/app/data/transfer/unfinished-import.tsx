import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { KeptImport } from './kept-import.ts'

interface UnfinishedImportProps {
  readonly kept: KeptImport
  readonly onForget: () => void
}

/** Says that an earlier import can go on. */
export function UnfinishedImport({ kept, onForget }: UnfinishedImportProps) {
  const { t, i18n } = useTranslation('transfer')
  const { imported } = kept.report
  return (
    <Alert color="yellow" role="status">
      <Text size="sm">
        {t('import.unfinished', {
          count: imported,
          shown: imported.toLocaleString(i18n.language),
          file: kept.file.name,
        })}
      </Text>
      <Group justify="flex-end" mt="xs">
        <Button variant="default" size="xs" onClick={onForget}>
          {t('import.forget')}
        </Button>
      </Group>
    </Alert>
  )
}
