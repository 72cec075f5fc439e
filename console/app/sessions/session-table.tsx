import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { PageButtons, usePages } from '../components/pages.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { type SimpleColumn, SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { endSessions, readSessions, type Session, sessionsKey, sessionsPath } from './session-calls.ts'

/** Where people are logged in, with a button that logs them out there. */
export function SessionTable({ account }: { readonly account?: string }) {
  const { t } = useTranslation('sessions')
  const client = useQueryClient()
  const mayEnd = useIsAllowed('DELETE', sessionsPath)
  const pages = usePages({
    queryKey: [...sessionsKey, account],
    read: (after) => readSessions(account, after),
  })
  const end = useMutation({
    mutationFn: ({ id }: Session) => endSessions({ id }),
    onSuccess: () => notifyDone(t('ended')),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
  const named = ({ username, account: name }: Session) => username ?? name ?? t('someone')
  const columns: readonly SimpleColumn<Session>[] = [
    {
      key: 'account',
      title: t('account'),
      isHeading: true,
      show: (session) => <span style={{ overflowWrap: 'anywhere' }}>{named(session)}</span>,
    },
    { key: 'provider', title: t('provider'), show: ({ provider }) => provider ?? '–', isExtra: true },
    {
      key: 'created',
      title: t('created'),
      show: ({ created }) => <Timestamp time={created} />,
      isExtra: true,
    },
    { key: 'used', title: t('used'), show: (session) => <Timestamp time={session.last_used} /> },
    {
      key: 'expires',
      title: t('expires'),
      show: ({ expires }) => <Timestamp time={expires} />,
      isExtra: true,
    },
  ]
  const endColumn: SimpleColumn<Session> = {
    key: 'end',
    title: t('end'),
    hasHiddenTitle: true,
    show: (session) => (
      <Button
        size="xs"
        variant="default"
        disabled={end.isPending}
        aria-label={t('endOf', { account: named(session) })}
        onClick={() => end.mutate(session)}
      >
        {t('end')}
      </Button>
    ),
  }
  return (
    <>
      {end.error === null ? null : <FailureAlert error={end.error} />}
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
                columns={mayEnd ? [...columns, endColumn] : columns}
              />
              <PageButtons pages={pages} />
            </div>
          )
        }
      </QueryContent>
    </>
  )
}
