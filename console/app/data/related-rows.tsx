import { Accordion, Anchor, Group, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { type ColumnChoice, shownColumns } from './columns.ts'
import type { Condition } from './filters.ts'
import { Pager } from './pager.tsx'
import { RowGrid } from './row-grid.tsx'
import { isCountable, type Row, readRows } from './rows.ts'
import { type Place, pathOfTable } from './table-view.ts'
import { type Relation, rowsKey, type Table, tableQuery } from './tables.ts'
import { conditionsOf, wantedFor } from './wanted.ts'

interface RelatedRowsProps {
  readonly relations: readonly Relation[]
  readonly row: Row
}

/** How many relations are listed; others are found by their names. */
const listed = 50

/** The rows that reference a row, from each table; read when they are opened. */
export function RelatedRows({ relations, row }: RelatedRowsProps) {
  const { t } = useTranslation('data')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<string[]>([])
  const found = relations.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  return (
    <>
      {relations.length > listed ? (
        <TextInput
          type="search"
          size="xs"
          maw={300}
          mb="sm"
          aria-label={t('record.search')}
          placeholder={t('record.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      <Accordion multiple variant="contained" value={opened} onChange={setOpened}>
        {found.slice(0, listed).map((relation) => (
          <Accordion.Item key={relation.name} value={relation.name}>
            <Accordion.Control>
              <Text span fw={500}>
                {relation.name}
              </Text>
              <Text span size="sm" c="dimmed" ml="xs">
                {relation.table}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              {opened.includes(relation.name) ? <RowsOf relation={relation} row={row} /> : null}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {found.length > listed ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t('record.more', { count: found.length - listed })}
        </Text>
      ) : null}
    </>
  )
}

function RowsOf({ relation, row }: { readonly relation: Relation; readonly row: Row }) {
  const { t } = useTranslation('data')
  const conditions = conditionsOf(relation, row)
  const query = useQuery(tableQuery(relation.table))
  if (conditions === undefined) return <Text size="sm">{t('rows.none')}</Text>
  return (
    <QueryContent query={query}>
      {(table) => <FoundRows key={table.name} table={table} conditions={conditions} />}
    </QueryContent>
  )
}

interface FoundRowsProps {
  readonly table: Table
  readonly conditions: readonly Condition[]
}

const choice: ColumnChoice = { order: [], shown: {}, widths: {}, size: 10 }

function FoundRows({ table, conditions }: FoundRowsProps) {
  const { t } = useTranslation('data')
  const [place, setPlace] = useState<Place>({ kind: 'start' })
  const columns = shownColumns(table, choice)
  const list = { filters: conditions, asc: [], desc: [], place, size: choice.size }
  const {
    data: page,
    error,
    isPlaceholderData,
  } = useQuery({
    queryKey: [...rowsKey(table.name), 'related', list],
    queryFn: ({ signal }) => readRows(table, wantedFor(columns, table), list, signal),
    placeholderData: keepPreviousData,
  })
  if (page === undefined) return error === null ? <Loading /> : <FailureAlert error={error} />
  if (page.rows.length === 0) return <Text size="sm">{t('rows.none')}</Text>
  return (
    <>
      <Group justify="flex-end" mb={4}>
        <Anchor component={Link} size="sm" to={pathOfTable(table.name, conditions)}>
          {t('record.asTable')}
        </Anchor>
      </Group>
      <RowGrid
        table={table}
        columns={columns}
        rows={page.rows}
        label={t('rows.label', { table: table.name })}
        maxHeight="24rem"
        isBusy={isPlaceholderData}
      />
      <Pager
        table={table.name}
        isCountable={isCountable(table)}
        filters={conditions}
        page={page}
        place={place}
        size={choice.size}
        isBusy={isPlaceholderData}
        onPlace={setPlace}
      />
    </>
  )
}
