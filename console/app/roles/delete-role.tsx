import { Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { type Role, readRole, roleQuery, rolesKey } from '../api/records.ts'
import { matching } from '../api/tagged.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { removeSeen } from '../components/remove-seen.ts'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { contentOf, draftOf } from './role-draft.ts'

interface DeleteRoleProps {
  readonly role: Role
  /** Shows the role as it is stored. */
  readonly onAnew: () => void
}

/** Deletes a role, which can be made again from what it was. */
export function DeleteRole({ role, onAnew }: DeleteRoleProps) {
  const { t } = useTranslation('roles')
  const { name } = role
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayCreate = useIsAllowed('POST', '/manage/roles')
  const [isAsked, setIsAsked] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: [...rolesKey, 'list'] })

  async function remove(): Promise<void> {
    const isRemoved = await removeSeen({
      seen: role,
      read: () => readRole(name),
      remove: (etag) =>
        dataOf(gateway.DELETE('/manage/roles/{name}', { params: { path: { name }, ...matching(etag) } })),
      show(newer) {
        client.setQueryData(roleQuery(name).queryKey, newer)
        onAnew()
      },
    })
    if (!isRemoved) return
    await navigate('/roles')
    await refresh()
    const message = t('deleted', { name })
    if (!mayCreate) return notifyDone(message)
    const undo = async () => {
      await dataOf(gateway.POST('/manage/roles', { body: { name, ...contentOf(draftOf(role)) } }))
      await refresh()
    }
    return notifyWithUndo({ message, label: t('undo'), undo })
  }

  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setIsAsked(true)}>
        {t('delete')}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={t('deleteNamed', { name })}
          action={t('delete')}
          onConfirm={remove}
          onClose={() => setIsAsked(false)}
        >
          <Text>{t('deleteText')}</Text>
          <ShowAsButton
            call={{ method: 'DELETE', path: `/manage/roles/${encodeURIComponent(name)}` }}
            command={`gatehouse role delete ${quoted(name)}`}
          />
        </ConfirmDialog>
      ) : null}
    </>
  )
}
