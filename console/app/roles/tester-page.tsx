import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { PageHeader } from '../components/page-header.tsx'
import { Tester } from './tester.tsx'

/** The tester alone; `?account=` chooses the account. */
export function TesterPage() {
  const { t } = useTranslation('roles')
  const [parameters] = useSearchParams()
  return (
    <>
      <PageHeader title={t('tester.page')} description={t('tester.pageDescription')} />
      <Box maw="40rem">
        <Tester account={parameters.get('account') ?? ''} />
      </Box>
    </>
  )
}
