import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllowed } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { lazily } from '../components/lazily.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { Facts } from './facts.tsx'
import { SlowStatements } from './slow-statements.tsx'

const Charts = lazily(async () => (await import('./charts.tsx')).Charts)

/** How often the page asks again, in milliseconds. */
const refreshMs = 5000

const calls = [
  { method: 'GET', path: '/manage/status' },
  { method: 'GET', path: '/manage/statements' },
] as const

/** How one gateway is doing: figures, pictures of the last minutes, and statements that took long. */
export function Status() {
  const { t } = useTranslation('status')
  const [showsStatus, showsStatements] = useAllowed(calls) ?? []
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Stack gap="lg">
        {showsStatus ? <Activity /> : null}
        {showsStatements ? <SlowStatements /> : null}
      </Stack>
    </>
  )
}

function Activity() {
  const query = useQuery({
    queryKey: ['status'],
    queryFn: () => dataOf(gateway.GET('/manage/status', {})),
    refetchInterval: refreshMs,
  })
  return (
    <QueryContent query={query}>
      {(status) => (
        <Stack gap="lg">
          <Facts status={status} />
          <Suspense fallback={<Loading />}>
            <Charts activity={status.activity} />
          </Suspense>
        </Stack>
      )}
    </QueryContent>
  )
}
