import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { CopyRecord } from './copy-record.tsx'
import { RecordFields } from './record-fields.tsx'
import { RelatedRows } from './related-rows.tsx'
import { type Row, readRow } from './rows.ts'
import { pathOfTable } from './table-view.ts'
import { rowsKey, type Table, tableQuery } from './tables.ts'
import { wantedWhole } from './wanted.ts'

/** One record of a table. */
export function RecordPage() {
  const { table: name = '', id = '' } = useParams()
  const query = useQuery(tableQuery(name))
  return <QueryContent query={query}>{(table) => <RecordOf key={id} table={table} id={id} />}</QueryContent>
}

function RecordOf({ table, id }: { readonly table: Table; readonly id: string }) {
  const { t } = useTranslation('data')
  const query = useQuery({
    queryKey: [...rowsKey(table.name), 'one', id],
    queryFn: ({ signal }) => readRow(table, wantedWhole(table), id, signal),
  })
  return (
    <>
      <Anchor component={Link} to={pathOfTable(table.name)} size="sm">
        {t('record.back', { table: table.name })}
      </Anchor>
      <QueryContent query={query}>
        {(row) =>
          row === null ? (
            <EmptyState title={t('record.none')}>{t('record.noneWhy')}</EmptyState>
          ) : (
            <Record table={table} row={row} id={id} />
          )
        }
      </QueryContent>
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
  const isRelated = table.collections.length > 0
  return (
    <>
      <PageHeader title={titleOf(table, row)} actions={<CopyRecord table={table} row={row} id={id} />} />
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
