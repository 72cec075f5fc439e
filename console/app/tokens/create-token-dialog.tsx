import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { UsernameInput } from '../components/username-input.tsx'
import { createToken, tokensKey } from './token-calls.ts'

/** Makes a token for an account, and shows it once. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const [account, setAccount] = useState('')
  const create = useMutation({
    mutationFn: () => createToken(account),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensKey }),
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('create')}
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
          <Text size="sm">{t('createText')}</Text>
          <UsernameInput label={t('account')} value={account} isRequired onChange={setAccount} />
          {create.error === null ? null : <FailureAlert error={create.error} />}
          {create.data === undefined ? null : <ShownOnce title={t('made')} secret={create.data} />}
          <Group justify="flex-end">
            <ShowAsButton call={{ method: 'POST', path: '/manage/tokens', body: { account } }} />
            <Button type="submit" loading={create.isPending}>
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
