import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAllowed, useIsAllowed } from '../api/access.ts'
import { type Account, roleQuery } from '../api/records.ts'
import { AuthorityTable } from '../components/authority-table.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'

import { rolePath } from '../roles/role-path.ts'
import { rolesOf } from './account-form.ts'

/** What an account may do: the authorities of its roles. */
export function AccountAccess({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const mayTest = useIsAllowed('GET', '/manage/explain-access')
  const names = rolesOf(account)
  const allowed = useAllowed(
    names.map((name) => ({ method: 'GET', path: `/manage/roles/${encodeURIComponent(name)}` })),
  )
  return (
    <Section
      title={t('access.title')}
      description={t('access.description')}
      actions={
        mayTest ? (
          <Anchor component={Link} to={`/roles/test?${new URLSearchParams({ account: account.username })}`}>
            {t('access.test')}
          </Anchor>
        ) : null
      }
    >
      {names.map((name, index) => (
        <Stack key={name} gap={4}>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {allowed?.[index] ? (
              <Anchor component={Link} to={rolePath(name)}>
                {name}
              </Anchor>
            ) : (
              name
            )}
          </Text>
          {allowed?.[index] ? <RoleAuthorities name={name} /> : null}
        </Stack>
      ))}
    </Section>
  )
}

/** More of them are on the page of the role. */
const mostShown = 20

function RoleAuthorities({ name }: { readonly name: string }) {
  const { t } = useTranslation('accounts')
  const query = useQuery(roleQuery(name))
  return (
    <QueryContent query={query}>
      {({ authorities }) => (
        <>
          {authorities.length === 0 ? (
            <Text size="sm">{t('access.nothing')}</Text>
          ) : (
            <AuthorityTable
              label={t('access.of', { role: name })}
              authorities={authorities.slice(0, mostShown)}
            />
          )}
          {authorities.length > mostShown ? (
            <Text size="sm">{t('access.more', { count: authorities.length - mostShown })}</Text>
          ) : null}
        </>
      )}
    </QueryContent>
  )
}
