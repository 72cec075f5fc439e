import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { type Role, roleQuery, rolesKey } from '../api/records.ts'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { DeleteRole } from './delete-role.tsx'
import { EffectsButton } from './effects-button.tsx'
import { commandOf, contentOf, draftOf, type RoleDraft } from './role-draft.ts'
import { RoleEditor } from './role-editor.tsx'
import { explainKey } from './tester-query.ts'

/** A role: to edit for those who may, to read for others. */
export function RolePage() {
  const { name = '' } = useParams()
  const query = useQuery({ ...roleQuery(name), refetchOnWindowFocus: false })
  // Undoing a change shows the role anew.
  const [version, setVersion] = useState(0)
  return (
    <QueryContent query={query}>
      {(role) => (
        <StoredRole key={`${role.name} ${version}`} role={role} onUndone={() => setVersion(version + 1)} />
      )}
    </QueryContent>
  )
}

interface StoredRoleProps {
  readonly role: Role
  readonly onUndone: () => void
}

function StoredRole({ role, onUndone }: StoredRoleProps) {
  const { t } = useTranslation('roles')
  const { name } = role
  const given = useLocation().state as { readonly warnings?: readonly string[] } | null
  const path = `/manage/roles/${encodeURIComponent(name)}`
  const isReadOnly = !useIsAllowed('PUT', path)
  const mayDelete = useIsAllowed('DELETE', path)
  const { saved, draft, setDraft, save, newer, reload } = useEditedRole(role, onUndone)
  const warnings = save.data?.warnings ?? (save.isSuccess ? [] : (given?.warnings ?? []))
  const content = contentOf(draft)
  const isChanged = JSON.stringify(content) !== JSON.stringify(contentOf(saved))
  return (
    <>
      <PageHeader
        title={name}
        description={isReadOnly ? t('readDescription') : t('editDescription')}
        actions={mayDelete ? <DeleteRole role={role} /> : null}
      />
      <LeaveGuard isChanged={isChanged} />
      {newer === undefined ? null : (
        <NewerRole onLoad={reload} onSave={() => save.mutate({ isForced: true })} />
      )}
      <RoleEditor
        name={name}
        saved={saved}
        draft={draft}
        isReadOnly={isReadOnly}
        warnings={warnings}
        error={save.error}
        isSaving={save.isPending}
        onChange={setDraft}
        onSave={() => save.mutate({ isForced: false })}
        actions={
          <>
            {isChanged ? (
              <Button variant="default" onClick={() => setDraft(saved)}>
                {t('discard')}
              </Button>
            ) : null}
            <EffectsButton method="PUT" path={path} content={content} />
            <ShowAsButton
              call={{ method: 'PUT', path, body: content }}
              command={commandOf('update', name, draft)}
              file={{ roles: [{ name, ...content }] }}
            />
          </>
        }
      />
    </>
  )
}

/** The state of the page: what is stored, what it is to become, and what someone else has made of it meanwhile. */
function useEditedRole(role: Role, onUndone: () => void) {
  const { t } = useTranslation('roles')
  const { name } = role
  const client = useQueryClient()
  const [saved, setSaved] = useState(() => draftOf(role))
  const [draft, setDraft] = useState(saved)
  const [newer, setNewer] = useState<Role>()

  async function write(content: ReturnType<typeof contentOf>): Promise<Role> {
    const params = { path: { name } }
    const written = (await dataOf(gateway.PUT('/manage/roles/{name}', { params, body: content }))) as Role
    await client.invalidateQueries({ queryKey: rolesKey })
    await client.invalidateQueries({ queryKey: explainKey })
    return written
  }

  const save = useMutation({
    async mutationFn({ isForced }: { readonly isForced: boolean }) {
      const stored = await client.fetchQuery({ ...roleQuery(name), staleTime: 0 })
      const isNewer = JSON.stringify(contentOf(draftOf(stored))) !== JSON.stringify(contentOf(saved))
      setNewer(isNewer && !isForced ? stored : undefined)
      return isNewer && !isForced ? undefined : write(contentOf(draft))
    },
    onSuccess(written: Role | undefined) {
      if (written === undefined) return
      const before = contentOf(saved)
      setSaved(draftOf(written))
      setDraft(draftOf(written))
      const undo = async () => {
        await write(before)
        onUndone()
      }
      notifyWithUndo({ message: t('saved', { name }), label: t('undo'), undo })
    },
  })

  function reload(): void {
    if (newer === undefined) return
    setSaved(draftOf(newer))
    setDraft(draftOf(newer))
    setNewer(undefined)
  }
  return { saved, draft, setDraft: (changed: RoleDraft) => setDraft(changed), save, newer, reload }
}

interface NewerRoleProps {
  readonly onLoad: () => void
  readonly onSave: () => void
}

/** Someone else has changed the role since it was read. */
function NewerRole({ onLoad, onSave }: NewerRoleProps) {
  const { t } = useTranslation('roles')
  return (
    <Alert role="alert" color="yellow" variant="outline" title={t('newer.title')} mb="lg">
      <Text size="sm">{t('newer.text')}</Text>
      <Group mt="sm">
        <Button size="xs" onClick={onLoad}>
          {t('newer.load')}
        </Button>
        <Button size="xs" variant="default" onClick={onSave}>
          {t('newer.save')}
        </Button>
      </Group>
    </Alert>
  )
}
