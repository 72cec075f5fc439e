import { Anchor, Button, Group, List, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { callWithJson } from '../api/gateway.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { Section } from '../components/section.tsx'
import { useVisibleAreas } from '../shell/visible-areas.ts'
import { statusQuery } from './served.tsx'

/** What to do on a gateway without any tables. */
export function NextSteps() {
  const { t } = useTranslation('overview')
  const client = useQueryClient()
  const { data: status } = useQuery(statusQuery)
  const areas = useVisibleAreas().map(({ name }): string => name)
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
  if (status === undefined || status.counts.tables > 0) return null
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
        {areas.includes('entities') ? (
          <List.Item>
            <Anchor component={Link} to="/entities/new">
              {t('next.design')}
            </Anchor>
          </List.Item>
        ) : null}
        <List.Item>
          <Anchor href="/docs/guide/reference/databases" target="_blank" rel="noreferrer">
            {t('next.connect')}
          </Anchor>
        </List.Item>
        {areas.includes('accounts') ? (
          <List.Item>
            <Anchor component={Link} to="/accounts/new">
              {t('next.invite')}
            </Anchor>
          </List.Item>
        ) : null}
      </List>
      {upload.error === null ? null : <FailureAlert error={upload.error} />}
    </Section>
  )
}
