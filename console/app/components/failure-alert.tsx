import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../../browser/refusal.ts'
import { titleOfFailure } from './failure-title.ts'

interface FailureAlertProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Why a call failed, in the words of the server, and what to do about it. */
export function FailureAlert({ error, onRetry }: FailureAlertProps) {
  const { t } = useTranslation('components')
  const problem = error instanceof Refusal ? error.problem : {}
  const requestId = error instanceof Refusal ? error.requestId : undefined
  const mistakes = problem.errors ?? []
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertCircle size={20} />}
      title={t(`failure.${titleOfFailure(error)}`)}
    >
      <Stack gap="xs">
        {mistakes.length === 0 ? (
          <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
        ) : (
          <List size="sm">
            {mistakes.map(({ pointer, detail }) => (
              <List.Item key={pointer + detail}>
                {pointer === '' ? null : <code>{pointer} </code>}
                {detail}
              </List.Item>
            ))}
          </List>
        )}
        <Group gap="md">
          {onRetry === undefined ? null : (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('failure.retry')}
            </Button>
          )}
          {problem.type?.startsWith('/docs/') ? (
            <Anchor size="sm" href={problem.type} target="_blank" rel="noreferrer">
              {t('failure.help')}
            </Anchor>
          ) : null}
          {requestId === undefined ? null : (
            <Text size="xs" c="dimmed">
              {t('failure.request')} <code>{requestId}</code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
