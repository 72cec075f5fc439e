import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { gateway } from '../api/gateway.ts'
import { pageOf, pageSize } from '../api/list-page.ts'
import { type Account, accountsKey } from '../api/records.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { PageButtons, usePages } from '../components/pages.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { rolesOf } from './account-form.ts'
import { accountPath } from './account-path.ts'

/** All accounts, to search and page through. */
export function AccountList() {
  const { t } = useTranslation('accounts')
  const [q, setQ] = useState('')
  const mayCreate = useIsAllowed('POST', '/manage/accounts')
  const pages = usePages({
    queryKey: [...accountsKey, 'list', q],
    read: (after) => {
      const query = { limit: pageSize, ...(q && { q }), ...(after && { after }) }
      return pageOf(gateway.GET('/manage/accounts', { params: { query } }))
    },
  })
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayCreate ? (
            <Button component={Link} to="/accounts/new" leftSection={<IconPlus size={16} />}>
              {t('create')}
            </Button>
          ) : null
        }
      />
      <Stack>
        <SearchField label={t('search')} onSearch={setQ} />
        <QueryContent query={pages.query}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t('nothing.title')}>{t('nothing.text')}</EmptyState>
            ) : (
              <AccountTable accounts={items} />
            )
          }
        </QueryContent>
        <PageButtons pages={pages} />
      </Stack>
    </>
  )
}

function AccountTable({ accounts }: { readonly accounts: readonly Account[] }) {
  const { t } = useTranslation('accounts')
  return (
    <SimpleTable
      label={t('title')}
      rows={accounts}
      keyOf={({ username }) => username}
      columns={[
        {
          key: 'username',
          title: t('username'),
          isHeading: true,
          show: ({ username }) => (
            <Anchor component={Link} to={accountPath(username)} style={{ overflowWrap: 'anywhere' }}>
              {username}
            </Anchor>
          ),
        },
        { key: 'roles', title: t('roles.title'), show: (account) => <RoleNames names={rolesOf(account)} /> },
        { key: 'state', title: t('state.title'), show: (account) => <AccountState account={account} /> },
        {
          key: 'expires',
          title: t('expiry.title'),
          isExtra: true,
          show: ({ expire }) => <Timestamp time={expire} otherwise={t('expiry.never')} />,
        },
        {
          key: 'created',
          title: t('created'),
          isExtra: true,
          show: ({ created }) => <Timestamp time={created} />,
        },
      ]}
    />
  )
}

const shownRoles = 3

function RoleNames({ names }: { readonly names: readonly string[] }) {
  const more = names.length - shownRoles
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
      {names.slice(0, shownRoles).join(', ')}
      {more > 0 ? ` +${more}` : ''}
    </Text>
  )
}

/** Whether an account can log on, and if not, why. */
export function AccountState({ account: { disabled, expire } }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const hasExpired = expire !== null && new Date(expire) <= new Date()
  return (
    <Group gap={4}>
      {disabled ? <Badge color="red.9">{t('state.disabled')}</Badge> : null}
      {hasExpired ? <Badge color="gray.7">{t('state.expired')}</Badge> : null}
      {disabled || hasExpired ? null : <Badge variant="default">{t('state.active')}</Badge>}
    </Group>
  )
}
