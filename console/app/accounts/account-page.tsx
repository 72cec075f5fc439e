import { Grid, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useAccess } from '../api/access.ts'
import { type Account, accountQuery } from '../api/records.ts'
import { noFilters } from '../audit/audit-filters.ts'
import { AuditTable } from '../audit/audit-table.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { SessionTable } from '../sessions/session-table.tsx'
import { AccountAccess } from './account-access.tsx'
import { accountCallPath } from './account-calls.ts'
import { AccountKeys } from './account-keys.tsx'
import { AccountState } from './account-list.tsx'
import { AccountProofs } from './account-proofs.tsx'
import { AccountSettings } from './account-settings.tsx'
import { AccountTokens } from './account-tokens.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { DisableButton } from './disable-button.tsx'
import { PasswordForm } from './password-form.tsx'

/** An account: what it has, what it may do, and how to change both. */
export function AccountPage() {
  const { username = '' } = useParams()
  const query = useQuery(accountQuery(username))
  return <QueryContent query={query}>{(account) => <StoredAccount account={account} />}</QueryContent>
}

function StoredAccount({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const { username, created, expire } = account
  const path = accountCallPath(username)
  const { allowed, error } = useAccess([
    { method: 'PATCH', path },
    { method: 'DELETE', path },
    { method: 'GET', path: `${path}/api-keys` },
    { method: 'GET', path: '/manage/tokens' },
    { method: 'GET', path: '/manage/sessions' },
    { method: 'GET', path: '/manage/audit' },
  ])
  const [mayChange, mayDelete, mayListKeys, mayListTokens, mayListSessions, mayAudit] = allowed ?? []
  return (
    <>
      <PageHeader
        title={username}
        description={
          <>
            {t('created')} <Timestamp time={created} /> · {t('expiry.title')}{' '}
            <Timestamp time={expire} otherwise={t('expiry.never')} />
          </>
        }
        actions={
          <Group gap="xs">
            <AccountState account={account} />
            {mayChange ? <DisableButton account={account} /> : null}
            {mayDelete ? <DeleteAccount account={account} /> : null}
          </Group>
        }
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="lg">
            {allowed === undefined && error === null ? (
              <Loading />
            ) : (
              <AccountSettings key={username} account={account} isReadOnly={!mayChange} />
            )}
            {mayChange ? <PasswordForm username={username} /> : null}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="lg">
            <AccountAccess account={account} />
            <AccountProofs account={account} />
            {mayListKeys ? <AccountKeys username={username} /> : null}
            {mayListTokens ? <AccountTokens username={username} /> : null}
            {mayListSessions ? (
              <Section title={t('sessions.title')} description={t('sessions.description')}>
                <SessionTable account={username} />
              </Section>
            ) : null}
            {mayAudit ? (
              <Section title={t('audit.title')} description={t('audit.description')}>
                <AuditTable filters={{ ...noFilters, name: username }} />
              </Section>
            ) : null}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  )
}
