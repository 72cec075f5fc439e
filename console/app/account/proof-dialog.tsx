import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { useSession } from '../shell/session-gate.tsx'
import { PasskeyFailure } from './passkey-failure.tsx'

/** What is entered: what is not asked for is empty. */
interface ProofValues {
  readonly name: string
  readonly password: string
  readonly code: string
}

interface ProofDialogProps {
  readonly title: string
  /** What will happen. */
  readonly children?: ReactNode
  /** The words of the button. */
  readonly action: string
  readonly isDangerous?: boolean
  /** The name of a passkey, which is asked for; absent if it is not. */
  readonly name?: string
  readonly asksPassword?: boolean
  readonly asksCode?: boolean
  readonly onSubmit: (values: ProofValues) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for what a change of the own account needs. Stays open with the reason if that fails. */
export function ProofDialog(props: ProofDialogProps) {
  const { title, children, action, isDangerous, name, asksPassword = true, asksCode = false } = props
  const { onSubmit, onClose } = props
  const { t } = useTranslation('account')
  const { account } = useSession()
  const form = useForm({ initialValues: { name: name ?? '', password: '', code: '' } })
  const work = useMutation({ mutationFn: onSubmit })
  return (
    <Dialog opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={form.onSubmit((values) => work.mutate(values))}>
        <Stack>
          {children}
          {name === undefined ? null : (
            <TextInput
              label={t('passkeys.name')}
              description={t('passkeys.nameHint')}
              maxLength={100}
              required
              data-autofocus
              {...form.getInputProps('name')}
            />
          )}
          {asksPassword ? (
            <>
              {/* Password managers need to know whose it is. */}
              <input hidden readOnly name="username" autoComplete="username" value={account.name} />
              <PasswordInput
                label={t('yourPassword')}
                autoComplete="current-password"
                required
                {...form.getInputProps('password')}
              />
            </>
          ) : null}
          {asksCode ? (
            <TextInput
              label={t('factor.code')}
              description={t('factor.codeHint')}
              autoComplete="one-time-code"
              maxLength={100}
              required
              {...form.getInputProps('code')}
            />
          ) : null}
          {work.error === null ? null : <PasskeyFailure error={work.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={work.isPending} {...(isDangerous ? { color: 'red' } : {})}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
