import { Anchor, Button, Code, Stack, Text } from '@mantine/core'
import { IconPlus, IconTestPipe } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { gateway } from '../api/gateway.ts'
import { pageOf, pageSize } from '../api/list-page.ts'
import { type Role, rolesKey } from '../api/records.ts'
import { ConditionsLine } from '../components/conditions-line.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { PageButtons, usePages } from '../components/pages.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { spokenDuration } from '../language/spoken-duration.ts'

import { rolePath } from './role-path.ts'

/** All roles, to search and page through. */
export function RoleList() {
  const { t } = useTranslation('roles')
  const [q, setQ] = useState('')
  const mayCreate = useIsAllowed('POST', '/manage/roles')
  const mayTest = useIsAllowed('GET', '/manage/explain-access')
  const pages = usePages({
    queryKey: [...rolesKey, 'list', q],
    read: (after) => {
      const query = { limit: pageSize, ...(q && { q }), ...(after && { after }) }
      return pageOf(gateway.GET('/manage/roles', { params: { query } }))
    },
  })
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            {mayTest ? (
              <Button
                component={Link}
                to="/roles/test"
                variant="default"
                leftSection={<IconTestPipe size={16} />}
              >
                {t('tester.title')}
              </Button>
            ) : null}
            {mayCreate ? (
              <Button component={Link} to="/roles/new" leftSection={<IconPlus size={16} />}>
                {t('create')}
              </Button>
            ) : null}
          </>
        }
      />
      <Stack>
        <SearchField label={t('search')} onSearch={setQ} />
        <QueryContent query={pages.query}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t('nothing.title')}>
                {q === '' ? t('nothing.text') : t('nothing.found')}
              </EmptyState>
            ) : (
              <RoleTable roles={items} />
            )
          }
        </QueryContent>
        <PageButtons pages={pages} />
      </Stack>
    </>
  )
}

const shownAuthorities = 3

function RoleTable({ roles }: { readonly roles: readonly Role[] }) {
  const { t } = useTranslation('roles')
  return (
    <SimpleTable
      label={t('title')}
      rows={roles}
      keyOf={({ name }) => name}
      columns={[
        {
          key: 'name',
          title: t('name'),
          isHeading: true,
          show: ({ name }) => (
            <Anchor component={Link} to={rolePath(name)} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Anchor>
          ),
        },
        {
          key: 'authorities',
          title: t('authorities.title'),
          show: ({ authorities }) => <Summary authorities={authorities} />,
        },
        {
          key: 'gives',
          title: t('gives.title'),
          isExtra: true,
          show: ({ gives = [] }) => (gives === '*' ? t('gives.all') : gives.slice(0, 5).join(', ') || '–'),
        },
        {
          key: 'limits',
          title: t('limits.title'),
          isExtra: true,
          show: ({ limits }) => (limits === undefined ? '–' : <Limit {...limits} />),
        },
      ]}
    />
  )
}

/** How many requests a role allows in which time. */
function Limit({ requests, per }: NonNullable<Role['limits']>) {
  const { t, i18n } = useTranslation('roles')
  const shown = new Intl.NumberFormat(i18n.language).format(requests)
  return t('limits.shown', { count: requests, shown, time: spokenDuration(per, i18n.language) })
}

function Summary({ authorities }: Pick<Role, 'authorities'>) {
  const { t } = useTranslation('roles')
  if (authorities.length === 0) return t('authorities.none')
  const more = authorities.length - shownAuthorities
  return (
    <Stack gap={2}>
      {authorities.slice(0, shownAuthorities).map(({ regex, methods, ...conditions }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a role may have the same authority twice.
        <div key={index}>
          <Text size="sm" component="span" lineClamp={2}>
            <Code style={{ overflowWrap: 'anywhere' }}>{regex}</Code> {methods.join(', ')}
          </Text>
          <ConditionsLine conditions={conditions} />
        </div>
      ))}
      {more > 0 ? (
        <Text size="sm" c="dimmed" component="span">
          {t('authorities.more', { count: more })}
        </Text>
      ) : null}
    </Stack>
  )
}
