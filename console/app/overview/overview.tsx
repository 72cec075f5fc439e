import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAllowed } from '../api/access.ts'
import { PageHeader } from '../components/page-header.tsx'
import { useSession } from '../shell/session-gate.tsx'
import { LatestChanges } from './latest-changes.tsx'
import { NextSteps } from './next-steps.tsx'
import { Places } from './places.tsx'
import { Served } from './served.tsx'

const calls = [
  { method: 'GET', path: '/manage/status' },
  { method: 'GET', path: '/manage/audit' },
] as const

/** What is served, how it is, what changed last, and what to do next where nothing is there yet. */
export function Overview() {
  const { t } = useTranslation('overview')
  const { account } = useSession()
  const [showsStatus, showsChanges] = useAllowed(calls) ?? []
  return (
    <>
      <PageHeader title={t('title')} description={t('welcome', { name: account.displayName })} />
      <Stack gap="lg">
        {showsStatus ? <Served /> : null}
        {showsStatus ? <NextSteps /> : null}
        <Places />
        {showsChanges ? <LatestChanges /> : null}
      </Stack>
    </>
  )
}
