import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { dataOf, gateway } from '../api/gateway.ts'
import { type Role, rolesKey } from '../api/records.ts'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { notifyDone } from '../components/notify.ts'
import { PageHeader } from '../components/page-header.tsx'
import { RestoredNotice } from '../components/restored-notice.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { useKeptForm } from '../components/use-kept-form.ts'
import { EffectsButton } from './effects-button.tsx'
import { commandOf, contentOf, emptyDraft, type RoleDraft } from './role-draft.ts'
import { RoleEditor } from './role-editor.tsx'
import { rolePath } from './role-path.ts'

/** Creates a role. */
export function NewRole() {
  const { t } = useTranslation('roles')
  const client = useQueryClient()
  const navigate = useNavigate()
  const kept = useKeptForm<{ readonly name: string; readonly draft: RoleDraft }>()
  const [name, setName] = useState(kept.restored?.name ?? '')
  const [draft, setDraft] = useState(kept.restored?.draft ?? emptyDraft)
  const [created, setCreated] = useState<Role>()
  const document = { name, ...contentOf(draft) }
  const create = useMutation({
    mutationFn: async () => (await dataOf(gateway.POST('/manage/roles', { body: document }))) as Role,
    async onSuccess(role) {
      notifyDone(t('created', { name: role.name }))
      await client.invalidateQueries({ queryKey: rolesKey })
      setCreated(role)
    },
  })
  const isChanged = (name !== '' || draft !== emptyDraft) && created === undefined
  kept.hold(isChanged ? { name, draft } : undefined)
  // Only when the guard below has let go.
  useEffect(() => {
    if (created === undefined) return
    const { name: createdName, warnings = [] } = created
    void navigate(rolePath(createdName), { replace: true, state: { warnings } })
  }, [created, navigate])
  return (
    <>
      <PageHeader title={t('create')} description={t('createDescription')} />
      <LeaveGuard isChanged={isChanged} />
      {isChanged && kept.restored !== undefined ? <RestoredNotice /> : null}
      <RoleEditor
        name={undefined}
        saved={emptyDraft}
        draft={draft}
        isReadOnly={false}
        warnings={[]}
        error={create.error}
        isSaving={create.isPending}
        onChange={setDraft}
        onSave={() => create.mutate()}
        actions={
          <>
            <EffectsButton method="POST" path="/manage/roles" content={document} />
            <ShowAsButton
              call={{ method: 'POST', path: '/manage/roles', body: document }}
              command={commandOf('create', name, draft)}
              file={{ roles: [document] }}
            />
          </>
        }
      >
        <TextInput
          label={t('name')}
          value={name}
          required
          maxLength={200}
          maw="24rem"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </RoleEditor>
    </>
  )
}
