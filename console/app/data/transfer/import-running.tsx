import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ImportProgress } from './run-import.ts'
import { WorkProgress } from './work-progress.tsx'

interface ImportRunningProps {
  readonly isDryRun: boolean
  /** Undefined before the first batch is done. */
  readonly progress: ImportProgress | undefined
  readonly total: number | undefined
  readonly onCancel: () => void
}

/** How far an import is, and that it can be stopped after each batch. */
export function ImportRunning({ isDryRun, progress, total, onCancel }: ImportRunningProps) {
  const { t, i18n } = useTranslation('transfer')
  const refused = progress?.refused ?? 0
  return (
    <Stack>
      <Text size="sm">{t(isDryRun ? 'import.checking' : 'import.running')}</Text>
      <WorkProgress
        label={t('import.progress')}
        done={progress?.done ?? 0}
        total={total}
        onCancel={onCancel}
      />
      {progress?.isWaiting ? (
        <Text size="sm" role="status">
          {t('import.waiting')}
        </Text>
      ) : null}
      {refused === 0 ? null : (
        <Text size="sm" c="red">
          {t('import.refusedSoFar', { count: refused, shown: refused.toLocaleString(i18n.language) })}
        </Text>
      )}
    </Stack>
  )
}
