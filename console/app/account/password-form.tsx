import { Anchor, Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { Section } from '../components/section.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { useSession } from '../shell/session-gate.tsx'
import { changePassword, endOwnSession, listOwnSessions } from './own-account.ts'
import { sessionsKey } from './sessions.tsx'

/** Changes the password of who is logged in, and logs out all other browsers. */
export function PasswordForm() {
  const { t } = useTranslation('account')
  const { account } = useSession()
  const client = useQueryClient()
  const form = useForm({
    initialValues: { password: '', next: '', again: '' },
    validate: { again: (again, { next }) => (again === next ? null : t('password.different')) },
  })
  const change = useMutation({
    mutationFn: async ({ password, next }: { readonly password: string; readonly next: string }) => {
      await changePassword(password, next)
      const others = (await listOwnSessions()).filter(({ current }) => !current)
      for (const { id } of others) await endOwnSession(id)
    },
    async onSuccess() {
      form.reset()
      notifyDone(t('password.done'))
      await client.invalidateQueries({ queryKey: sessionsKey })
    },
  })
  return (
    <Section title={t('password.title')} description={<Description />}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw="24rem">
          {/* Password managers need to know whose it is. */}
          <input hidden readOnly name="username" autoComplete="username" value={account.name} />
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={t('password.next')}
            autoComplete="new-password"
            required
            {...form.getInputProps('next')}
          />
          <PasswordInput
            label={t('password.again')}
            autoComplete="new-password"
            required
            {...form.getInputProps('again')}
          />
          {change.error === null ? null : <FailureAlert error={change.error} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('password.button')}
            </Button>
            <ShowAsButton
              call={{
                method: 'PATCH',
                path: '/whoami/password',
                body: { password: '…', new_password: '…' },
              }}
            />
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function Description() {
  const { t } = useTranslation('account')
  return (
    <>
      {t('password.description')}{' '}
      <Anchor
        href="/docs/guide/reference/access#passkeys"
        target="_blank"
        rel="noreferrer"
        size="sm"
        underline="always"
      >
        {t('password.passkeysStay')}
      </Anchor>
    </>
  )
}
