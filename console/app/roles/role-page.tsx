import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { useIsAllowed, useRight } from '../api/access.ts'
import { gateway } from '../api/gateway.ts'
import { type Role, readRole, roleQuery, rolesKey } from '../api/records.ts'
import { matching, type Tagged, taggedOf } from '../api/tagged.ts'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { Loading } from '../components/loading.tsx'
import { NewerVersion } from '../components/newer-version.tsx'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { RestoredNotice } from '../components/restored-notice.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { useKeptForm } from '../components/use-kept-form.ts'
import { useNewer } from '../components/use-newer.ts'
import { DeleteRole } from './delete-role.tsx'
import { EffectsButton } from './effects-button.tsx'
import { commandOf, contentOf, draftOf, type RoleDraft } from './role-draft.ts'
import { RoleEditor } from './role-editor.tsx'
import { explainKey } from './tester-query.ts'

/** A role: to edit for those who may, to read for others. */
export function RolePage() {
  const { name = '' } = useParams()
  const query = useQuery({ ...roleQuery(name), refetchOnWindowFocus: false })
  const mayChange = useRight('PUT', `/manage/roles/${encodeURIComponent(name)}`)
  // Undoing a change shows the role anew, and so does a deletion that was too late.
  const [version, setVersion] = useState(0)
  return (
    <QueryContent query={query} isFresh>
      {(role) =>
        mayChange === undefined ? (
          <Loading />
        ) : (
          <StoredRole
            key={`${role.name} ${version}`}
            role={role}
            isReadOnly={!mayChange}
            onAnew={() => setVersion(version + 1)}
          />
        )
      }
    </QueryContent>
  )
}

interface StoredRoleProps {
  readonly role: Role
  readonly isReadOnly: boolean
  /** Shows the role as it is stored. */
  readonly onAnew: () => void
}

function StoredRole({ role, isReadOnly, onAnew }: StoredRoleProps) {
  const { t } = useTranslation('roles')
  const { name } = role
  const given = useLocation().state as { readonly warnings?: readonly string[] } | null
  const path = `/manage/roles/${encodeURIComponent(name)}`
  const mayDelete = useIsAllowed('DELETE', path)
  const edited = useEditedRole(role, onAnew)
  const { saved, draft, setDraft, isChanged, isRestored, newer, begin, outcome, save } = edited
  const warnings = outcome.data?.value.warnings ?? (outcome.isSuccess ? [] : (given?.warnings ?? []))
  const content = contentOf(draft)
  return (
    <>
      <PageHeader
        title={name}
        description={isReadOnly ? t('readDescription') : t('editDescription')}
        actions={mayDelete ? <DeleteRole role={role} onAnew={onAnew} /> : null}
      />
      <LeaveGuard isChanged={isChanged} />
      {isRestored ? <RestoredNotice /> : null}
      {newer === undefined ? null : (
        <NewerVersion
          from={contentOf(saved)}
          to={contentOf(newer)}
          onLoad={() => begin(newer)}
          onSave={() => save(newer)}
        />
      )}
      <RoleEditor
        name={name}
        saved={saved}
        draft={draft}
        isReadOnly={isReadOnly}
        warnings={warnings}
        error={outcome.error}
        isSaving={outcome.isPending}
        onChange={setDraft}
        onSave={() => save(saved)}
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
function useEditedRole(role: Role, onAnew: () => void) {
  const { t } = useTranslation('roles')
  const { name } = role
  const client = useQueryClient()
  const kept = useKeptForm<{ readonly saved: RoleDraft; readonly draft: RoleDraft }>()
  const [saved, setSaved] = useState(() => kept.restored?.saved ?? draftOf(role))
  const [draft, setDraft] = useState(kept.restored?.draft ?? saved)
  const isChanged = !isSame(draft, saved)
  kept.hold(isChanged ? { saved, draft } : undefined)
  const { newer, forget, saveOver } = useNewer({
    async read() {
      const { value, etag } = await readRole(name)
      client.setQueryData(roleQuery(name).queryKey, value)
      return { value: draftOf(value), etag }
    },
    isSame,
  })

  async function write(content: ReturnType<typeof contentOf>, etag: string): Promise<Tagged<Role>> {
    const params = { path: { name }, ...matching(etag) }
    const written = await taggedOf(gateway.PUT('/manage/roles/{name}', { params, body: content }))
    await client.invalidateQueries({ queryKey: rolesKey })
    await client.invalidateQueries({ queryKey: explainKey })
    return written as Tagged<Role>
  }

  const save = useMutation({
    mutationFn: ({ seen, sent }: { readonly seen: RoleDraft; readonly sent: RoleDraft }) =>
      saveOver(seen, (etag) => write(contentOf(sent), etag)),
    onSuccess(written, { seen, sent }) {
      if (written === undefined) return
      const stored = draftOf(written.value)
      setSaved(stored)
      // What was entered while it was being saved stays.
      setDraft((entered) => (entered === sent ? stored : entered))
      const undo = async () => {
        await write(contentOf(seen), written.etag)
        onAnew()
      }
      notifyWithUndo({ message: t('saved', { name }), label: t('undo'), undo })
    },
  })

  function begin(stored: RoleDraft): void {
    setSaved(stored)
    setDraft(stored)
    forget()
  }
  return {
    saved,
    draft,
    setDraft,
    isChanged,
    isRestored: isChanged && kept.restored !== undefined,
    newer,
    begin,
    outcome: save,
    /** Saves it over the version of the role that was seen. */
    save: (seen: RoleDraft) => save.mutate({ seen, sent: draft }),
  }
}

/** Whether two versions of a role say the same. */
function isSame(one: RoleDraft, other: RoleDraft): boolean {
  return JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other))
}
