import { Button, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFileUpload, IconPlus, IconSchema, IconSearch, IconTablePlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAllowed } from '../api/access.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { driftQuery, type EntitySummary, entityListQuery } from './entity-queries.ts'
import { EntityRows } from './entity-rows.tsx'

/** All entities, and what can be done besides. */
export function EntityListPage() {
  const { t } = useTranslation('entities')
  const query = useQuery(entityListQuery)
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={<Actions />} />
      <QueryContent query={query}>{(entities) => <SearchedList entities={entities} />}</QueryContent>
    </>
  )
}

function Actions() {
  const { t } = useTranslation('entities')
  const [mayUpload = false, mayAdopt = false] =
    useAllowed([
      { method: 'POST', path: '/manage/entities' },
      { method: 'POST', path: '/manage/entities/adopt' },
    ]) ?? []
  return (
    <>
      <Button component={Link} to="diagram" variant="default" leftSection={<IconSchema size={16} />}>
        {t('diagram.open')}
      </Button>
      {mayAdopt ? (
        <Button component={Link} to="adopt" variant="default" leftSection={<IconTablePlus size={16} />}>
          {t('adopt.open')}
        </Button>
      ) : null}
      {mayUpload ? (
        <>
          <Button component={Link} to="upload" variant="default" leftSection={<IconFileUpload size={16} />}>
            {t('upload.open')}
          </Button>
          <Button component={Link} to="new" leftSection={<IconPlus size={16} />}>
            {t('new.open')}
          </Button>
        </>
      ) : null}
    </>
  )
}

function SearchedList({ entities }: { readonly entities: readonly EntitySummary[] }) {
  const { t } = useTranslation('entities')
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed.trim().toLowerCase(), 100)
  const [mayReadDrift = false] = useAllowed([{ method: 'GET', path: '/manage/drift' }]) ?? []
  const drift = useQuery({ ...driftQuery, enabled: mayReadDrift })
  const drifted = useMemo(() => new Set(drift.data?.map(({ name }) => name)), [drift.data])
  const found = useMemo(
    () =>
      entities.filter(({ name, resource }) => `${name}\n${resource ?? ''}`.toLowerCase().includes(wanted)),
    [entities, wanted],
  )
  if (entities.length === 0) return <EmptyState title={t('list.none')}>{t('list.noneText')}</EmptyState>
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        label={t('list.search')}
        description={t('list.count', { found: found.length, count: entities.length })}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maw={420}
      />
      {found.length === 0 ? t('list.nothing') : <EntityRows entities={found} drifted={drifted} />}
    </Stack>
  )
}
