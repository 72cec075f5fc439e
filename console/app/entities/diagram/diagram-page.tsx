import { Group, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useIsAllowed } from '../../api/access.ts'
import { gateway } from '../../api/gateway.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { BackLink } from '../back-link.tsx'
import { dataPath, entityPath } from '../entity-paths.ts'
import { entityListQuery } from '../entity-queries.ts'
import { everyPage } from '../every-page.ts'
import { DiagramCanvas } from './diagram-canvas.tsx'
import { DiagramList } from './diagram-list.tsx'
import { type Graph, graphOf, neighbourhood, type ReadTable } from './graph.ts'

/** More tables at once are not readable, and take long to place. */
const mostDrawn = 300

const wholeTablesQuery = queryOptions({
  queryKey: ['entities', 'whole tables'],
  staleTime: 60_000,
  queryFn: async () =>
    (await everyPage((query) =>
      gateway.GET('/whoami/tables', { params: { query: { ...query, whole: 'true' } } }),
    )) as readonly ReadTable[],
})

/** How tables refer to each other: all of them, or one with its neighbours. */
export function DiagramPage() {
  const { t } = useTranslation('entities')
  const query = useQuery(wholeTablesQuery)
  const mayList = useIsAllowed('GET', '/manage/entities')
  const entities = useQuery({ ...entityListQuery, enabled: mayList })
  const names = useMemo(() => new Set(entities.data?.map(({ name }) => name)), [entities.data])
  return (
    <>
      <BackLink />
      <PageHeader title={t('diagram.title')} description={t('diagram.description')} />
      <QueryContent query={query}>
        {(tables) =>
          tables.length === 0 ? (
            <EmptyState title={t('diagram.empty')}>{t('diagram.emptyText')}</EmptyState>
          ) : (
            <Diagram tables={tables} addressOf={(id) => (names.has(id) ? entityPath(id) : dataPath(id))} />
          )
        }
      </QueryContent>
    </>
  )
}

interface DiagramProps {
  readonly tables: readonly ReadTable[]
  readonly addressOf: (id: string) => string
}

function Diagram({ tables, addressOf }: DiagramProps) {
  const { t } = useTranslation('entities')
  const [search, setSearch] = useSearchParams()
  const whole = useMemo(() => graphOf(tables), [tables])
  const wanted = search.get('focus') ?? ''
  const focus = tables.some(({ name }) => name === wanted) ? wanted : ''
  const depth = search.get('depth') === '2' ? 2 : 1
  const allFields = search.get('fields') === 'all'
  const isList = search.get('show') === 'list'
  const graph = useMemo(
    () => (focus === '' ? whole : neighbourhood(whole, focus, depth)),
    [whole, focus, depth],
  )
  const change = (key: string, value: string) => {
    const next = new URLSearchParams(search)
    if (value === '') next.delete(key)
    else next.set(key, value)
    setSearch(next, { replace: true })
  }
  return (
    <Stack>
      <Group align="flex-end">
        <Select
          label={t('diagram.focus')}
          placeholder={t('diagram.focusNone')}
          data={tables.map(({ name }) => name)}
          value={focus === '' ? null : focus}
          onChange={(chosen) => change('focus', chosen ?? '')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('diagram.focusNone') }}
          limit={50}
        />
        {focus === '' ? null : (
          <Choice
            label={t('diagram.depth')}
            value={`${depth}`}
            choices={{ '1': t('diagram.depths.1'), '2': t('diagram.depths.2') }}
            onChange={(value) => change('depth', value)}
          />
        )}
        <Choice
          label={t('diagram.show')}
          value={isList ? 'list' : 'picture'}
          choices={{ picture: t('diagram.picture'), list: t('diagram.list') }}
          onChange={(value) => change('show', value)}
        />
        {isList ? null : (
          <Switch
            label={t('diagram.allFields')}
            checked={allFields}
            pb={8}
            onChange={(event) => change('fields', event.currentTarget.checked ? 'all' : '')}
          />
        )}
      </Group>
      {isList ? (
        <DiagramList key={focus} graph={graph} addressOf={addressOf} />
      ) : (
        <Picture graph={graph} focus={focus} allFields={allFields} addressOf={addressOf} />
      )}
    </Stack>
  )
}

interface PictureProps {
  readonly graph: Graph
  readonly focus: string
  readonly allFields: boolean
  readonly addressOf: (id: string) => string
}

function Picture({ graph, ...props }: PictureProps) {
  const { t } = useTranslation('entities')
  const count = graph.tables.length
  if (count > mostDrawn) return <Text>{t('diagram.many', { count })}</Text>
  const key = `${props.focus} ${props.allFields} ${count}`
  return <DiagramCanvas key={key} graph={graph} {...props} />
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: Readonly<Record<string, string>>
  readonly onChange: (value: string) => void
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <SegmentedControl
        aria-label={label}
        value={value}
        onChange={onChange}
        data={Object.entries(choices).map(([key, words]) => ({ value: key, label: words }))}
      />
    </Stack>
  )
}
