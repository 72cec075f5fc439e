import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dataOf, gateway } from '../api/gateway.ts'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'

/** How many changes are shown. */
const limit = 8

/** What was changed last, by whom. */
export function LatestChanges() {
  const { t } = useTranslation('overview')
  const query = useQuery({
    queryKey: ['audit', 'latest'],
    queryFn: () => dataOf(gateway.GET('/manage/audit', { params: { query: { limit } } })),
  })
  return (
    <Section title={t('changes.title')}>
      <QueryContent query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Text>{t('changes.none')}</Text>
          ) : (
            <SimpleTable
              label={t('changes.title')}
              rows={entries}
              keyOf={({ id }) => id}
              columns={[
                { key: 'at', title: t('changes.at'), show: ({ at }) => <Timestamp time={at} /> },
                {
                  key: 'what',
                  title: t('changes.what'),
                  isHeading: true,
                  show: ({ action, record, name }) =>
                    t('changes.sentence', {
                      action: t(`changes.actions.${action}`),
                      record: t(`changes.records.${record}`),
                      name,
                    }),
                },
                {
                  key: 'who',
                  title: t('changes.who'),
                  show: ({ account }) => account ?? t('changes.program'),
                  isExtra: true,
                },
              ]}
            />
          )
        }
      </QueryContent>
    </Section>
  )
}
