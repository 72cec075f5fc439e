import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { Section } from '../components/section.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { accountCallPath, changeAccount } from './account-calls.ts'
import { makePassword } from './account-form.ts'

/** Sets a new password for an account; an empty field generates one. */
export function PasswordForm({ username }: { readonly username: string }) {
  const { t } = useTranslation('accounts')
  const [typed, setTyped] = useState('')
  const change = useMutation({
    async mutationFn() {
      const password = typed === '' ? makePassword() : typed
      await changeAccount(username, { password })
      return typed === '' ? password : undefined
    },
    onSuccess() {
      setTyped('')
      notifyDone(t('password.done'))
    },
  })
  return (
    <Section title={t('password.title')} description={t('password.description')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <Stack>
          <input hidden readOnly name="username" autoComplete="off" value={username} />
          <PasswordInput
            label={t('password.next')}
            description={t('password.generated')}
            value={typed}
            autoComplete="new-password"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {change.data === undefined ? null : <ShownOnce title={t('made.password')} secret={change.data} />}
          {change.error === null ? null : <FailureAlert error={change.error} />}
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t('password.button')}
            </Button>
            <ShowAsButton
              call={{ method: 'PATCH', path: accountCallPath(username), body: { password: '…' } }}
              command={`gatehouse account update ${quoted(username)} --new_password_file password.txt`}
            />
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
