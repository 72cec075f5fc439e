import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageButtons, usePages } from '../components/pages.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { auditKey, readAuditPage } from './audit-calls.ts'
import type { AuditFilters } from './audit-filters.ts'
import { ChangesButton } from './changes-button.tsx'

const colors = { created: 'teal.9', changed: 'indigo.8', deleted: 'red.9' } as const

/** Entries of the audit, newest first. */
export function AuditTable({ filters }: { readonly filters: AuditFilters }) {
  const { t } = useTranslation('audit')
  const pages = usePages({
    queryKey: [...auditKey, filters],
    read: (before) => readAuditPage(filters, before),
  })
  return (
    <QueryContent query={pages.query}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm">{t('none')}</Text>
        ) : (
          <div>
            <SimpleTable
              label={t('title')}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { key: 'at', title: t('at'), show: ({ at }) => <Timestamp time={at} /> },
                {
                  key: 'action',
                  title: t('action'),
                  show: ({ action }) => <Badge color={colors[action]}>{t(`actions.${action}`)}</Badge>,
                },
                {
                  key: 'what',
                  title: t('what'),
                  isHeading: true,
                  show: ({ record, name, detail }) => (
                    <>
                      {t(`records.${record}`)} <strong style={{ overflowWrap: 'anywhere' }}>{name}</strong>
                      {detail === '' ? null : (
                        <Text size="sm" c="dimmed">
                          {detail}
                        </Text>
                      )}
                    </>
                  ),
                },
                {
                  key: 'account',
                  title: t('account'),
                  show: ({ account }) => (
                    <span style={{ overflowWrap: 'anywhere' }}>{account ?? t('program')}</span>
                  ),
                  isExtra: true,
                },
                {
                  key: 'address',
                  title: t('address'),
                  show: ({ address }) => address || '–',
                  isExtra: true,
                },
                {
                  key: 'changes',
                  title: t('changes.show'),
                  hasHiddenTitle: true,
                  show: (entry) => <ChangesButton entry={entry} />,
                },
              ]}
            />
            <PageButtons pages={pages} />
          </div>
        )
      }
    </QueryContent>
  )
}
