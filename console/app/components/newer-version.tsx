import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LineDifference } from './line-difference.tsx'

interface NewerVersionProps {
  /** What the edit began with, as JSON. */
  readonly from: unknown
  /** What is stored now. */
  readonly to: unknown
  readonly onLoad: () => void
  readonly onSave: () => void
}

/** Someone else has changed what is edited here: says what, and asks which version stays. */
export function NewerVersion({ from, to, onLoad, onSave }: NewerVersionProps) {
  const { t } = useTranslation('components')
  const place = useRef<HTMLDivElement>(null)
  // The button that saves may be far below.
  useEffect(() => place.current?.focus(), [])
  return (
    <Alert
      ref={place}
      tabIndex={-1}
      role="alert"
      color="yellow"
      variant="outline"
      title={t('failure.changed')}
      mb="lg"
    >
      <Stack gap="sm">
        <Text size="sm">{t('newer.text')}</Text>
        <LineDifference label={t('newer.theirs')} from={from} to={to} />
        <Group>
          <Button size="xs" onClick={onLoad}>
            {t('newer.load')}
          </Button>
          <Button size="xs" variant="default" onClick={onSave}>
            {t('newer.save')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
