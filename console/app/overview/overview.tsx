import { useTranslation } from 'react-i18next'
import { PageHeader } from '../components/page-header.tsx'

/** What is served, how it is, and what to do next. */
export function Overview() {
  const { t } = useTranslation('overview')
  return <PageHeader title={t('title')} />
}
