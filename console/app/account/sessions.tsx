import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../components/failure-alert.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { endOwnSession, listOwnSessions, type OwnSession } from './own-account.ts'

/** The key under which the sessions of the account are kept. */
export const sessionsKey = ['account', 'sessions']

/** Where the account is logged in. */
export function Sessions() {
  const { t } = useTranslation('account')
  const client = useQueryClient()
  const query = useQuery({ queryKey: sessionsKey, queryFn: listOwnSessions })
  const end = useMutation({
    async mutationFn(ended: readonly OwnSession[]) {
      for (const { id } of ended) await endOwnSession(id)
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
  const others = (query.data ?? []).filter(({ current }) => !current)
  return (
    <Section
      title={t('sessions.title')}
      actions={
        others.length < 2 ? null : (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate(others)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {end.error === null ? null : <FailureAlert error={end.error} />}
      <QueryContent query={query}>
        {(sessions) => (
          <Stack component="ul" p={0} m={0}>
            {sessions.map((session) => (
              <SessionItem
                key={session.id}
                session={session}
                isBusy={end.isPending}
                onEnd={() => end.mutate([session])}
              />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Section>
  )
}

interface SessionItemProps {
  readonly session: OwnSession
  readonly isBusy: boolean
  readonly onEnd: () => void
}

function SessionItem({ session, isBusy, onEnd }: SessionItemProps) {
  const { t } = useTranslation('account')
  return (
    <Group component="li" justify="space-between">
      <div>
        <Text fw={600}>{session.current ? t('sessions.here') : t('sessions.there')}</Text>
        <Text size="sm" c="dimmed">
          {t('sessions.began')} <Timestamp time={session.created} /> · {t('sessions.used')}{' '}
          <Timestamp time={session.last_used} />
        </Text>
      </div>
      {session.current ? null : (
        <Button variant="default" size="xs" disabled={isBusy} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  )
}
