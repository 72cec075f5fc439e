import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { BackLink } from './back-link.tsx'
import { CopyRecord } from './copy-record.tsx'
import { RecordActions } from './edit/record-actions.tsx'
import { RecordFields } from './record-fields.tsx'
import { RelatedRows } from './related-rows.tsx'
import { type Row, readRow } from './rows.ts'
import { TableAbsent } from './table-absent.tsx'
import { rowsKey, type Table, tableQuery } from './tables.ts'
import { wantedWhole } from './wanted.ts'

/** One record of a table. */
export function RecordPage() {
  const { table: name = '', id = '' } = useParams()
  const query = useQuery(tableQuery(name))
  if (query.data === undefined) return <TableAbsent name={name} query={query} />
  return <RecordOf key={id} table={query.data} id={id} />
}

function RecordOf({ table, id }: { readonly table: Table; readonly id: string }) {
  const { t } = useTranslation('data')
  const query = useQuery({
    queryKey: [...rowsKey(table.name), 'one', id],
    queryFn: ({ signal }) => readRow(table, wantedWhole(table), id, signal),
  })
  const row = query.data
  return (
    <>
      <BackLink table={table.name} />
      {row ? (
        <Record table={table} row={row} id={id} />
      ) : (
        <>
          <PageHeader title={table.name} />
          <QueryContent query={query}>
            {() => <EmptyState title={t('record.none')}>{t('record.noneWhy')}</EmptyState>}
          </QueryContent>
        </>
      )}
    </>
  )
}

interface RecordProps {
  readonly table: Table
  readonly row: Row
  readonly id: string
}

function Record({ table, row, id }: RecordProps) {
  const { t } = useTranslation('data')
  const title = titleOf(table, row)
  const isRelated = table.collections.length > 0
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            <RecordActions table={table} row={row} id={id} title={title} />
            <CopyRecord table={table} row={row} id={id} />
          </>
        }
      />
      <Stack gap="lg">
        <RecordFields table={table} row={row} />
        {isRelated ? (
          <section aria-label={t('record.collections')}>
            <Title order={2} size="h4" mb={4}>
              {t('record.collections')}
            </Title>
            <Text size="sm" c="dimmed" mb="sm">
              {t('record.collectionsWhy')}
            </Text>
            <RelatedRows relations={table.collections} row={row} />
          </section>
        ) : null}
      </Stack>
    </>
  )
}

/** The name of the table, with the values of the key. */
function titleOf({ name, key, api, fields }: Table, { values }: Row): string {
  const ofApi = fields.filter(({ api_name: own }) => own !== undefined && api?.key.includes(own))
  const names = api === null ? key : ofApi.map((field) => field.name)
  const shown = names.map((field) => String(values[field] ?? '')).join(', ')
  return `${name} ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}`
}
