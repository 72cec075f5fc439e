import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, accountsKey } from '../api/records.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { accountCallPath, changeAccount } from './account-calls.ts'

/** Disables an account, or enables it again. */
export function DisableButton({ account: { username, disabled } }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const client = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const verb = disabled ? 'enable' : 'disable'
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
            await changeAccount(username, { disabled: !disabled })
            notifyDone(t(`${verb}.done`, { username }))
            await client.invalidateQueries({ queryKey: accountsKey })
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
