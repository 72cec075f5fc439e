import { Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { readSession } from '../api/console-session.ts'
import { FailureAlert } from '../components/failure-alert.tsx'

/** For a page that failed, or whose code could not be loaded: after an upgrade it has another address. */
export function ErrorPage() {
  const { t } = useTranslation('shell')
  const error = useRouteError()
  // A page that is not loaded again would be gone, and the browser's own stand in its place.
  const reload = useMutation({ mutationFn: readSession, onSuccess: () => location.reload() })
  return (
    <Stack>
      <Title order={1} size="h2">
        {t('failed.title')}
      </Title>
      <FailureAlert error={reload.error ?? error} onRetry={() => reload.mutate()} />
    </Stack>
  )
}
