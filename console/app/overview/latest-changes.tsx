import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dataOf, gateway } from '../api/gateway.ts'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
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
            <List listStyleType="none" spacing="xs">
              {entries.map(({ id, at, action, record, name, account }) => (
                <List.Item key={id}>
                  {t('changes.sentence', {
                    action: t(`changes.actions.${action}`),
                    record: t(`changes.records.${record}`),
                    name,
                  })}
                  <Text size="sm" c="dimmed">
                    <Timestamp time={at} /> · {account ?? t('changes.program')}
                  </Text>
                </List.Item>
              ))}
            </List>
          )
        }
      </QueryContent>
    </Section>
  )
}
