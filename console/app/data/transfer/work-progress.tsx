import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface WorkProgressProps {
  /** What is being done, for screen readers. */
  readonly label: string
  readonly done: number
  /** Undefined until it is known. */
  readonly total: number | undefined
  readonly onCancel: () => void
}

/** How far work is, and a button that ends it. */
export function WorkProgress({ label, done, total, onCancel }: WorkProgressProps) {
  const { t, i18n } = useTranslation('transfer')
  const shown = (count: number) => count.toLocaleString(i18n.language)
  const percent = total === undefined || total === 0 ? 100 : Math.min(100, (100 * done) / total)
  return (
    <Stack gap="xs">
      <Progress.Root size="lg">
        <Progress.Section
          value={percent}
          animated={total === undefined}
          striped={total === undefined}
          aria-label={label}
        />
      </Progress.Root>
      <Group justify="space-between">
        <Text size="sm" role="status">
          {total === undefined
            ? t('work.done', { count: done, shown: shown(done) })
            : t('work.of', { count: total, done: shown(done), total: shown(total) })}
        </Text>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('work.cancel')}
        </Button>
      </Group>
    </Stack>
  )
}
