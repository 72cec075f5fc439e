import { Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Account, accountQuery, accountsKey, readAccount } from '../api/records.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { removeSeen } from '../components/remove-seen.ts'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { accountCallPath, deleteAccount } from './account-calls.ts'

/** Deletes an account after its name was typed. */
export function DeleteAccount({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const { username } = account
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setIsAsked(true)}>
        {t('delete.button')}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={t('delete.title', { username })}
          action={t('delete.button')}
          mustType={username}
          onConfirm={async () => {
            const isRemoved = await removeSeen({
              seen: account,
              read: () => readAccount(username),
              remove: (etag) => deleteAccount(username, etag),
              show: (newer) => client.setQueryData(accountQuery(username).queryKey, newer),
            })
            if (!isRemoved) return
            notifyDone(t('delete.done', { username }))
            await navigate('/accounts')
            await client.invalidateQueries({ queryKey: [...accountsKey, 'list'] })
          }}
          onClose={() => setIsAsked(false)}
        >
          <Text>{t('delete.text')}</Text>
          <ShowAsButton
            call={{ method: 'DELETE', path: accountCallPath(username) }}
            command={`gatehouse account delete ${quoted(username)}`}
          />
        </ConfirmDialog>
      ) : null}
    </>
  )
}
