import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dataOf, gateway } from '../api/gateway.ts'
import { Fact } from '../components/fact.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { StateBadge } from '../components/state-badge.tsx'

/** The status of the gateway, as the areas that show it share it. */
export const statusQuery = {
  queryKey: ['status'],
  queryFn: () => dataOf(gateway.GET('/manage/status', {})),
}

/** What the gateway serves, in numbers, and whether all it needs can be reached. */
export function Served() {
  const { t, i18n } = useTranslation('overview')
  const query = useQuery(statusQuery)
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <QueryContent query={query}>
      {({ counts, database, store, activity }) => {
        const isWell = database.reachable && store.reachable
        const { requests, failures } = activity.total
        const answered = Object.values(requests).reduce((sum, count) => sum + count, 0)
        return (
          <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }}>
            <Fact title={t('served.health')} detail={database.product}>
              <StateBadge size="lg" state={isWell ? 'good' : 'bad'}>
                {isWell ? t('served.well') : t('served.unreachable')}
              </StateBadge>
            </Fact>
            <Fact title={t('served.tables')}>{number.format(counts.tables)}</Fact>
            <Fact title={t('served.apis')}>{number.format(counts.published_apis)}</Fact>
            <Fact title={t('served.accounts')} detail={t('served.roles', { count: counts.roles })}>
              {number.format(counts.accounts)}
            </Fact>
            <Fact title={t('served.routes')}>{number.format(counts.routes)}</Fact>
            <Fact title={t('served.requests')} detail={t('served.failures', { count: failures })}>
              {number.format(answered)}
            </Fact>
          </SimpleGrid>
        )
      }}
    </QueryContent>
  )
}
