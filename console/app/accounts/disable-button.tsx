import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, accountsKey } from '../api/records.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { accountCallPath, changeAccount } from './account-calls.ts'

/** Disables an account, or enables it again. */
export function DisableButton({ account: { username, disabled } }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const client = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const verb = disabled ? 'enable' : 'disable'
  const change = async (wanted: boolean) => {
    await changeAccount(username, { disabled: wanted })
    await client.invalidateQueries({ queryKey: accountsKey })
  }
  return (
    <>
      <Button variant="default" onClick={() => setIsAsked(true)}>
        {t(`${verb}.button`)}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={t(`${verb}.title`, { username })}
          action={t(`${verb}.button`)}
          onConfirm={async () => {
            await change(!disabled)
            const undo = () => change(disabled)
            notifyWithUndo({ message: t(`${verb}.done`, { username }), label: t('undo'), undo })
          }}
          onClose={() => setIsAsked(false)}
        >
          <Text>{t(`${verb}.text`)}</Text>
          <ShowAsButton
            call={{ method: 'PATCH', path: accountCallPath(username), body: { disabled: !disabled } }}
            command={`gatehouse account ${verb} ${quoted(username)}`}
          />
        </ConfirmDialog>
      ) : null}
    </>
  )
}
