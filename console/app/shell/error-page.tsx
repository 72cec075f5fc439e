import { Stack, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { FailureAlert } from '../components/failure-alert.tsx'

/** For a page that failed, or whose code could not be loaded: after an upgrade it has another address. */
export function ErrorPage() {
  const { t } = useTranslation('shell')
  const error = useRouteError()
  return (
    <Stack>
      <Title order={1} size="h2">
        {t('failed.title')}
      </Title>
      <FailureAlert error={error} onRetry={() => location.reload()} />
    </Stack>
  )
}
