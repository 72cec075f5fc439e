import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { BackLink } from '../back-link.tsx'
import { entityListQuery } from '../entity-queries.ts'
import { type AdoptableTable, adoptableTables, readableTablesQuery } from './adoption.ts'
import { AdoptionDialog } from './adoption-dialog.tsx'
import { TableChoice } from './table-choice.tsx'

/** Makes entities of tables that exist already. The address may name some: `?table=a&table=b`. */
export function AdoptPage() {
  const { t } = useTranslation('entities')
  const tables = useQuery(readableTablesQuery)
  const entities = useQuery(entityListQuery)
  const names = useMemo(() => new Set(entities.data?.map(({ name }) => name)), [entities.data])
  return (
    <>
      <BackLink />
      <PageHeader title={t('adopt.title')} description={t('adopt.description')} />
      <QueryContent query={tables}>
        {(found) => (
          <QueryContent query={entities}>
            {() => <Adoption tables={adoptableTables(found, names)} />}
          </QueryContent>
        )}
      </QueryContent>
    </>
  )
}

function Adoption({ tables }: { readonly tables: readonly AdoptableTable[] }) {
  const { t } = useTranslation('entities')
  const [search] = useSearchParams()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => namedTables(tables, search.getAll('table')))
  const [isShown, setIsShown] = useState(false)
  if (tables.length === 0) return <EmptyState title={t('adopt.none')}>{t('adopt.noneText')}</EmptyState>
  return (
    <Stack maw="48rem">
      <TableChoice tables={tables} chosen={chosen} onChange={setChosen} onShow={() => setIsShown(true)} />
      {isShown ? (
        <AdoptionDialog
          key={[...chosen].join('\n')}
          tables={[...chosen]}
          onLeaveOut={(names) => setChosen(new Set([...chosen].filter((name) => !names.has(name))))}
          onDone={() => setChosen(new Set())}
          onClose={() => setIsShown(false)}
        />
      ) : null}
    </Stack>
  )
}

/** The tables that are named by any of their names. */
function namedTables(tables: readonly AdoptableTable[], names: readonly string[]): ReadonlySet<string> {
  const named = tables.filter(({ name, graphqlName }) =>
    names.some((wanted) => [name, graphqlName, name.split('.').slice(1).join('.')].includes(wanted)),
  )
  return new Set(named.map(({ name }) => name))
}
