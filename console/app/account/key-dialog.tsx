import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { createOwnKey, removeOwnKey } from './own-account.ts'

interface KeyDialogProps {
  /** Name of the key to end; absent to make a new one. */
  readonly ended?: string
  readonly onClose: () => void
  /** Gets the secret of a new key. */
  readonly onDone: (secret: string | undefined) => void
}

/** Makes or ends a key of one's own; both need the password. */
export function KeyDialog({ ended, onClose, onDone }: KeyDialogProps) {
  const { t } = useTranslation('account')
  const form = useForm({ initialValues: { name: '', password: '' } })
  const work = useMutation({
    async mutationFn({ name, password }: typeof form.values) {
      if (ended === undefined) return createOwnKey(password, name)
      await removeOwnKey(password, ended)
      return undefined
    },
    onSuccess: onDone,
  })
  const title = ended === undefined ? t('keys.create') : t('keys.endNamed', { name: ended })
  return (
    <Dialog opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={form.onSubmit((values) => work.mutate(values))}>
        <Stack>
          {ended === undefined ? (
            <TextInput
              label={t('keys.name')}
              description={t('keys.nameHint')}
              maxLength={100}
              required
              data-autofocus
              {...form.getInputProps('name')}
            />
          ) : (
            <Text>{t('keys.endWarning')}</Text>
          )}
          <PasswordInput
            label={t('keys.password')}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          {work.error === null ? null : <FailureAlert error={work.error} />}
          <Group justify="flex-end">
            <ShowAsButton
              call={{
                method: ended === undefined ? 'POST' : 'DELETE',
                path: '/whoami/api-keys',
                body: { password: '…', name: ended ?? form.values.name },
              }}
            />
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={work.isPending} {...(ended === undefined ? {} : { color: 'red' })}>
              {ended === undefined ? t('keys.create') : t('keys.end')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
