import { Anchor, Badge, Button, Code, Group, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { ConditionsLine } from '../components/conditions-line.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { type GatewayRoute, routesQuery, targetsOf } from './gateway-routes.ts'
import { TargetHealth } from './target-health.tsx'

/** How many routes are shown at once; a search finds the others. */
const mostShown = 200

/** All routes, with the health of their targets. */
export function RouteList() {
  const { t } = useTranslation('routes')
  const mayCreate = useIsAllowed('POST', '/manage/routes')
  const query = useQuery(routesQuery)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayCreate ? (
            <Button component={Link} to="/routes/new" leftSection={<IconPlus size={16} />}>
              {t('create')}
            </Button>
          ) : null
        }
      />
      <QueryContent query={query}>
        {(routes) =>
          routes.length === 0 ? (
            <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
          ) : (
            <SearchedRoutes routes={routes} />
          )
        }
      </QueryContent>
    </>
  )
}

function SearchedRoutes({ routes }: { readonly routes: readonly GatewayRoute[] }) {
  const { t } = useTranslation('routes')
  const [words, setWords] = useState('')
  const wanted = words.toLowerCase()
  const found = routes.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(wanted))
  return (
    <Stack>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} />}
        maw="24rem"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <SimpleTable
        label={t('title')}
        rows={found.slice(0, mostShown)}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: t('name'),
            isHeading: true,
            show: ({ name }) => (
              <Anchor component={Link} to={`/routes/edit/${encodeURIComponent(name)}`}>
                {name}
              </Anchor>
            ),
          },
          { key: 'path', title: t('path'), show: ({ path }) => <Code>{path}</Code> },
          {
            key: 'methods',
            title: t('methods'),
            show: ({ methods }) => methods.join(', '),
            isExtra: true,
          },
          {
            key: 'scope',
            title: t('scope'),
            show: (route) => (
              <>
                <Badge variant="default" tt="none">
                  {t(`scopes.${route.scope}`)}
                </Badge>
                <ConditionsLine conditions={route} />
              </>
            ),
          },
          {
            key: 'targets',
            title: t('targets'),
            isExtra: true,
            show: (route) => <Targets route={route} />,
          },
        ]}
      />
      {found.length > mostShown ? t('more', { count: found.length - mostShown }) : null}
    </Stack>
  )
}

function Targets({ route }: { readonly route: GatewayRoute }) {
  const { t } = useTranslation('routes')
  const targets = targetsOf(route)
  if (targets.length === 0) return <>{t('own')}</>
  return (
    <Stack gap={4}>
      {targets.map((target) => (
        <Group key={target} gap="xs">
          <Code>{target}</Code>
          <TargetHealth route={route} target={target} />
        </Group>
      ))}
    </Stack>
  )
}
