import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../components/page-header.tsx'
import { useSession } from '../shell/session-gate.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** What people may change of their own account: password, second factor, passkeys, API keys, and where they are logged in. */
export function Account() {
  const { t } = useTranslation('account')
  const { account } = useSession()
  return (
    <>
      <PageHeader title={t('title')} description={t('description', { name: account.name })} />
      <Stack gap="lg" maw="48rem">
        {account.hasPassword ? (
          <>
            <PasswordForm />
            <SecondFactor />
            <Passkeys />
            <ApiKeys />
          </>
        ) : null}
        <Sessions />
      </Stack>
    </>
  )
}
