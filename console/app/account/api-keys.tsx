import { Alert, Button, Code, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { CopyText } from '../components/show-as-button.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { listOwnKeys, type OwnKey } from './own-account.ts'

const keysKey = ['account', 'keys']

/** The API keys of who is logged in. */
export function ApiKeys() {
  const { t } = useTranslation('account')
  const client = useQueryClient()
  const query = useQuery({ queryKey: keysKey, queryFn: listOwnKeys })
  const [asked, setAsked] = useState<{ readonly ended?: string }>()
  const [made, setMade] = useState<string>()

  async function done(secret: string | undefined): Promise<void> {
    setAsked(undefined)
    setMade(secret)
    await client.invalidateQueries({ queryKey: keysKey })
  }

  return (
    <Section
      title={t('keys.title')}
      description={t('keys.description')}
      actions={
        <Button variant="default" onClick={() => setAsked({})}>
          {t('keys.create')}
        </Button>
      }
    >
      {made === undefined ? null : (
        <Alert
          color="teal"
          variant="outline"
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
          title={t('keys.made')}
          role="status"
        >
          <Group wrap="nowrap">
            <Code>{made}</Code>
            <CopyText text={made} />
          </Group>
        </Alert>
      )}
      <QueryContent query={query}>
        {(keys) => <KeyTable keys={keys} onEnd={(name) => setAsked({ ended: name })} />}
      </QueryContent>
      {asked === undefined ? null : (
        <KeyDialog {...asked} onClose={() => setAsked(undefined)} onDone={(secret) => void done(secret)} />
      )}
    </Section>
  )
}

interface KeyTableProps {
  readonly keys: readonly OwnKey[]
  readonly onEnd: (name: string) => void
}

function KeyTable({ keys, onEnd }: KeyTableProps) {
  const { t } = useTranslation('account')
  return (
    <SimpleTable
      label={t('keys.title')}
      rows={keys}
      keyOf={({ name }) => name}
      columns={[
        { key: 'name', title: t('keys.name'), show: ({ name }) => name, isHeading: true },
        {
          key: 'prefix',
          title: t('keys.prefix'),
          show: ({ prefix }) => (prefix === null ? '–' : <Code>{prefix}…</Code>),
          isExtra: true,
        },
        {
          key: 'created',
          title: t('keys.created'),
          show: ({ created }) => <Timestamp time={created} />,
          isExtra: true,
        },
        {
          key: 'used',
          title: t('keys.used'),
          show: (key) => <Timestamp time={key.last_used} otherwise={t('keys.never')} />,
        },
        {
          key: 'expires',
          title: t('keys.expires'),
          show: (key) => <Timestamp time={key.expires_at} otherwise={t('keys.never')} />,
          isExtra: true,
        },
        {
          key: 'end',
          title: t('keys.end'),
          hasHiddenTitle: true,
          show: ({ name }) => (
            <Button
              size="xs"
              variant="default"
              aria-label={t('keys.endNamed', { name })}
              onClick={() => onEnd(name)}
            >
              {t('keys.end')}
            </Button>
          ),
        },
      ]}
    />
  )
}
