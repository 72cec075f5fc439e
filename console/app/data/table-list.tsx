import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { useIsLeaving } from '../components/use-is-leaving.ts'
import classes from './data.module.css'
import { pathOfTable } from './table-view.ts'
import { type ListedTable, tableListQuery } from './tables.ts'

const itemHeight = 52

/** All tables and views that may be read, with a search. */
export function TableList() {
  const { t } = useTranslation('data')
  const [query, setQuery] = useSearchParams()
  const search = query.get('q') ?? ''
  const [typed, setTyped] = useState(search)
  const isLeaving = useIsLeaving()
  const find = useDebouncedCallback((text: string) => {
    if (!isLeaving()) setQuery(text === '' ? {} : { q: text })
  }, 250)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...tableListQuery(search),
    placeholderData: (before) => before,
  })
  const tables = data?.pages.flat() ?? []
  return (
    <>
      <PageHeader title={t('list.title')} description={t('list.description')} />
      <TextInput
        type="search"
        mb="md"
        maw={420}
        aria-label={t('list.search')}
        placeholder={t('list.search')}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          find(event.currentTarget.value.trim())
        }}
      />
      {error !== null && data === undefined ? (
        <FailureAlert error={error} onRetry={() => void refetch()} />
      ) : null}
      {error === null && data === undefined ? <Loading /> : null}
      {data === undefined ? null : tables.length === 0 ? (
        <NoTables search={search} />
      ) : (
        <VirtualTables
          tables={tables}
          hasMore={hasNextPage}
          onEnd={() => {
            if (!isFetchingNextPage) void fetchNextPage()
          }}
        />
      )}
    </>
  )
}

/** Why the list is empty, and the way out for those who may make a table. */
function NoTables({ search }: { readonly search: string }) {
  const { t } = useTranslation('data')
  const mayDesign = useIsAllowed('POST', '/manage/entities')
  if (search !== '') {
    return <EmptyState title={t('list.noneFound')}>{t('list.noneFoundWhy', { search })}</EmptyState>
  }
  return (
    <EmptyState title={t('list.none')}>
      <Text>{t('list.noneWhy')}</Text>
      {mayDesign ? (
        <Button component={Link} to="/entities/new">
          {t('list.design')}
        </Button>
      ) : null}
    </EmptyState>
  )
}

interface VirtualTablesProps {
  readonly tables: readonly ListedTable[]
  readonly hasMore: boolean
  /** Called when the end of the list is in the window, and there is more. */
  readonly onEnd: () => void
}

/** Only the tables in the window are in the document. */
function VirtualTables({ tables, hasMore, onEnd }: VirtualTablesProps) {
  const { t } = useTranslation('data')
  const place = useRef<HTMLUListElement>(null)
  const virtual = useWindowVirtualizer({
    count: tables.length,
    estimateSize: () => itemHeight,
    overscan: 10,
    scrollMargin: place.current?.offsetTop ?? 0,
  })
  const items = virtual.getVirtualItems()
  const isAtEnd = (items.at(-1)?.index ?? 0) >= tables.length - 20
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each length of the list.
  useEffect(() => {
    if (isAtEnd && hasMore) onEnd()
  }, [isAtEnd, hasMore, tables.length])
  return (
    <ul
      ref={place}
      className={classes.tables}
      aria-label={t('list.title')}
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map(({ index, start }) => {
        const table = tables[index]
        return table === undefined ? null : (
          <li
            key={table.name}
            className={classes.table}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
            aria-setsize={hasMore ? -1 : tables.length}
            aria-posinset={index + 1}
          >
            <TableItem table={table} />
          </li>
        )
      })}
    </ul>
  )
}

function TableItem({ table }: { readonly table: ListedTable }) {
  const { t } = useTranslation('data')
  const { name, kind, api, comment } = table
  const native = nativeName(table)
  const note = [native === name ? undefined : native, comment].filter((text) => text !== undefined)
  return (
    <Link to={pathOfTable(name)} className={classes.tableLink}>
      <span className={classes.tableNames}>
        <Text span display="block" truncate fw={500}>
          {name}
        </Text>
        {note.length === 0 ? null : (
          <Text span display="block" truncate size="xs" c="dimmed">
            <bdi>{note.join(' · ')}</bdi>
          </Text>
        )}
      </span>
      <Group gap="xs" wrap="nowrap">
        {kind === 'view' ? <Badge variant="default">{t('list.view')}</Badge> : null}
        <Text span size="sm" c="dimmed" visibleFrom="xs">
          {api === null ? t('list.unpublished') : api.path}
        </Text>
      </Group>
    </Link>
  )
}

/** The name of a table in its database, with its schema if it has one. */
export function nativeName({ table, schema }: Pick<ListedTable, 'table' | 'schema'>): string {
  return schema === undefined ? table : `${schema}.${table}`
}
