import { Button, Code } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllowed } from '../api/access.ts'
import { accountsKey } from '../api/records.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { type SimpleColumn, SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { type ApiKey, accountCallPath, listKeys, removeKey } from './account-calls.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'

/** The API keys of an account. */
export function AccountKeys({ username }: { readonly username: string }) {
  const { t } = useTranslation('accounts')
  const client = useQueryClient()
  const path = `${accountCallPath(username)}/api-keys`
  const queryKey = [...accountsKey, 'keys', username]
  const query = useQuery({ queryKey, queryFn: () => listKeys(username) })
  const [mayCreate = false, mayEnd = false] =
    useAllowed([
      { method: 'POST', path },
      { method: 'DELETE', path: `${path}/default` },
    ]) ?? []
  const [isCreating, setIsCreating] = useState(false)
  const [ended, setEnded] = useState<string>()
  const [made, setMade] = useState<string>()
  const refresh = () => client.invalidateQueries({ queryKey })
  return (
    <Section
      title={t('keys.title')}
      description={t('keys.description')}
      actions={
        mayCreate ? (
          <Button variant="default" onClick={() => setIsCreating(true)}>
            {t('keys.create')}
          </Button>
        ) : null
      }
    >
      {made === undefined ? null : <ShownOnce title={t('made.key')} secret={made} />}
      <QueryContent query={query}>
        {(keys) => <KeyTable keys={keys} {...(mayEnd ? { onEnd: setEnded } : {})} />}
      </QueryContent>
      {isCreating ? (
        <CreateKeyDialog
          username={username}
          onClose={() => setIsCreating(false)}
          onMade={(secret) => {
            setIsCreating(false)
            setMade(secret)
            void refresh()
          }}
        />
      ) : null}
      {ended === undefined ? null : (
        <ConfirmDialog
          title={t('keys.endNamed', { name: ended })}
          action={t('keys.end')}
          onConfirm={async () => {
            await removeKey(username, ended)
            await refresh()
          }}
          onClose={() => setEnded(undefined)}
        >
          {t('keys.endText')}
          <ShowAsButton
            call={{ method: 'DELETE', path: `${path}/${encodeURIComponent(ended)}` }}
            command={`gatehouse key delete ${quoted(username)} ${quoted(ended)}`}
          />
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly onEnd?: (name: string) => void
}

function KeyTable({ keys, onEnd }: KeyTableProps) {
  const { t } = useTranslation('accounts')
  const never = t('expiry.never')
  const columns: readonly SimpleColumn<ApiKey>[] = [
    { key: 'name', title: t('keys.name'), show: ({ name }) => name, isHeading: true },
    {
      key: 'prefix',
      title: t('keys.prefix'),
      show: ({ prefix }) => (prefix === null ? '–' : <Code>{prefix}…</Code>),
      isExtra: true,
    },
    {
      key: 'used',
      title: t('keys.used'),
      show: (key) => <Timestamp time={key.last_used} otherwise={never} />,
    },
    {
      key: 'expires',
      title: t('expiry.title'),
      show: (key) => <Timestamp time={key.expires_at} otherwise={never} />,
      isExtra: true,
    },
  ]
  const end: SimpleColumn<ApiKey> = {
    key: 'end',
    title: t('keys.end'),
    hasHiddenTitle: true,
    show: ({ name }) => (
      <Button
        size="xs"
        variant="default"
        aria-label={t('keys.endNamed', { name })}
        onClick={() => onEnd?.(name)}
      >
        {t('keys.end')}
      </Button>
    ),
  }
  return (
    <SimpleTable
      label={t('keys.title')}
      rows={keys}
      keyOf={({ name }) => name}
      columns={onEnd === undefined ? columns : [...columns, end]}
    />
  )
}
