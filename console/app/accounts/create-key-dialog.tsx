import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { accountCallPath, createKey } from './account-calls.ts'

interface CreateKeyDialogProps {
  readonly username: string
  readonly onClose: () => void
  /** Gets the secret. */
  readonly onMade: (secret: string) => void
}

/** Makes another API key for an account. */
export function CreateKeyDialog({ username, onClose, onMade }: CreateKeyDialogProps) {
  const { t } = useTranslation('accounts')
  const [name, setName] = useState('')
  const [days, setDays] = useState<number>()
  const body = { name, ...(days === undefined ? {} : { expire_days: days }) }
  const create = useMutation({ mutationFn: () => createKey(username, body), onSuccess: onMade })
  const lifetime = days === undefined ? '' : ` --expire_days ${days}`
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('keys.create')}
      centered
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={t('keys.name')}
            value={name}
            required
            maxLength={200}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NumberInput
            label={t('expiry.days')}
            description={t('expiry.daysHint')}
            value={days ?? ''}
            min={1}
            max={36_500}
            allowDecimal={false}
            onChange={(value) => setDays(value === '' ? undefined : Number(value))}
          />
          {create.error === null ? null : <FailureAlert error={create.error} />}
          <Group justify="flex-end">
            <ShowAsButton
              call={{ method: 'POST', path: `${accountCallPath(username)}/api-keys`, body }}
              command={`gatehouse key create ${quoted(username)} ${quoted(name)}${lifetime}`}
            />
            <Button type="submit" loading={create.isPending}>
              {t('keys.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
