import { Button, Code, ScrollArea, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'

const key = ['status', 'statements']

/** Statements that took longer than the option `slow_statement` allows. */
export function SlowStatements() {
  const { t, i18n } = useTranslation('status')
  const client = useQueryClient()
  const mayClear = useIsAllowed('DELETE', '/manage/statements')
  const query = useQuery({ queryKey: key, queryFn: () => dataOf(gateway.GET('/manage/statements', {})) })
  const clear = useMutation({
    mutationFn: () => dataOf(gateway.DELETE('/manage/statements', {})),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  })
  const time = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  const threshold = query.data?.threshold_ms
  const statements = query.data?.statements ?? []
  return (
    <Section
      title={t('slow.title')}
      description={threshold === undefined ? undefined : t('slow.description', { threshold })}
      actions={
        mayClear && statements.length > 0 ? (
          <Button variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
            {t('slow.clear')}
          </Button>
        ) : null
      }
    >
      {clear.error === null ? null : <FailureAlert error={clear.error} />}
      <QueryContent query={query}>
        {() =>
          statements.length === 0 ? (
            <Text>{t('slow.none')}</Text>
          ) : (
            <SimpleTable
              label={t('slow.title')}
              rows={statements}
              keyOf={({ sql, cause }) => `${cause} ${sql}`}
              columns={[
                {
                  key: 'sql',
                  title: t('slow.sql'),
                  isHeading: true,
                  show: ({ sql }) => (
                    <ScrollArea.Autosize mah={120} maw="32rem" viewportProps={{ tabIndex: 0 }}>
                      <Code>{sql}</Code>
                    </ScrollArea.Autosize>
                  ),
                },
                { key: 'cause', title: t('slow.cause'), show: ({ cause }) => cause ?? '–', isExtra: true },
                { key: 'count', title: t('slow.count'), show: ({ count }) => count },
                { key: 'median', title: t('slow.median'), show: (one) => `${time.format(one.median_ms)} ms` },
                {
                  key: 'max',
                  title: t('slow.max'),
                  show: (one) => `${time.format(one.max_ms)} ms`,
                  isExtra: true,
                },
                {
                  key: 'seen',
                  title: t('slow.seen'),
                  show: (one) => <Timestamp time={one.last_seen} />,
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
