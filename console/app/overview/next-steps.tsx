import { Anchor, Button, Group, List, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAllowed } from '../api/access.ts'
import { callWithJson } from '../api/gateway.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { Section } from '../components/section.tsx'
import { statusQuery } from './served.tsx'

const calls = [
  { method: 'POST', path: '/manage/entities' },
  { method: 'POST', path: '/manage/entities/adopt' },
  { method: 'POST', path: '/graphql' },
  { method: 'POST', path: '/manage/accounts' },
] as const

/** What to do on a gateway without any tables, or with tables of which none is published; as far as the roles allow it. */
export function NextSteps() {
  const { data: status } = useQuery(statusQuery)
  const [mayUpload, mayAdopt, mayQuery, mayInvite] = useAllowed(calls) ?? []
  if (status === undefined) return null
  const { tables, published_apis: apis } = status.counts
  if (tables === 0 && mayUpload) return <WithoutTables mayInvite={mayInvite === true} />
  if (tables === 0 || apis > 0 || !mayAdopt) return null
  return <WithoutApis count={tables} mayQuery={mayQuery === true} mayInvite={mayInvite === true} />
}

function WithoutTables({ mayInvite }: { readonly mayInvite: boolean }) {
  const { t } = useTranslation('overview')
  const client = useQueryClient()
  const upload = useMutation({
    async mutationFn() {
      const { default: example } = await import('../../../examples/tenants-and-ports.json')
      return callWithJson('POST', '/manage/entities', example)
    },
    async onSuccess() {
      notifyDone(t('next.uploaded'))
      await client.invalidateQueries()
    },
  })
  return (
    <Section title={t('next.title')} description={t('next.description')}>
      <List spacing="sm">
        <List.Item>
          <Group gap="sm">
            <Text>{t('next.example')}</Text>
            <Button size="xs" loading={upload.isPending} onClick={() => upload.mutate()}>
              {t('next.upload')}
            </Button>
          </Group>
        </List.Item>
        <Step to="/entities/new">{t('next.design')}</Step>
        <List.Item>
          <Anchor href="/docs/guide/reference/databases" target="_blank" rel="noreferrer">
            {t('next.connect')}
          </Anchor>
        </List.Item>
        {mayInvite ? <Step to="/accounts/new">{t('next.invite')}</Step> : null}
      </List>
      {upload.error === null ? null : <FailureAlert error={upload.error} />}
    </Section>
  )
}

interface WithoutApisProps {
  /** How many tables there are. */
  readonly count: number
  readonly mayQuery: boolean
  readonly mayInvite: boolean
}

function WithoutApis({ count, mayQuery, mayInvite }: WithoutApisProps) {
  const { t } = useTranslation('overview')
  return (
    <Section title={t('next.title')} description={t('next.unpublished', { count })}>
      <List spacing="sm">
        <Step to="/entities/adopt">{t('next.publish')}</Step>
        {mayQuery ? <Step to="/graphql">{t('next.query')}</Step> : null}
        {mayInvite ? <Step to="/accounts/new">{t('next.invite')}</Step> : null}
      </List>
    </Section>
  )
}

function Step({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <List.Item>
      <Anchor component={Link} to={to}>
        {children}
      </Anchor>
    </List.Item>
  )
}
