import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useIsAllowed, useRight } from '../api/access.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { Loading } from '../components/loading.tsx'
import { NewerVersion } from '../components/newer-version.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { RestoredNotice } from '../components/restored-notice.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { type GatewayRoute, routeCallPath, routeQuery } from './gateway-routes.ts'
import { RouteFields } from './route-fields.tsx'
import { useEditedRoute } from './use-edited-route.ts'
import { useRouteChanges } from './use-route-changes.ts'

/** Makes a route, or changes the one that the address names. */
export function RouteEditor() {
  const { t } = useTranslation('routes')
  const { name } = useParams()
  const query = useQuery({ ...routeQuery(name ?? ''), enabled: name !== undefined })
  // A deletion that was too late shows the route anew.
  const [version, setVersion] = useState(0)
  if (name === undefined) {
    return (
      <>
        <PageHeader title={t('create')} />
        <Editor />
      </>
    )
  }
  return (
    <QueryContent query={query} isFresh>
      {(route) => (
        <>
          <PageHeader
            title={t('one', { name })}
            actions={<DeleteButton route={route} onAnew={() => setVersion(version + 1)} />}
          />
          <Editor key={`${name} ${version}`} existing={route} />
        </>
      )}
    </QueryContent>
  )
}

interface EditorProps {
  /** The route that is changed; absent for a new one. */
  readonly existing?: GatewayRoute
}

function Editor({ existing }: EditorProps) {
  const { base, form, newer, isChanged, isRestored, isSaving, error, change, save, load } =
    useEditedRoute(existing)
  const method = base === undefined ? 'POST' : 'PUT'
  const path = base === undefined ? '/manage/routes' : routeCallPath(base.name)
  const maySave = useRight(method, path)
  if (maySave === undefined) return <Loading />
  return (
    <>
      <LeaveGuard isChanged={isChanged} />
      {isRestored ? <RestoredNotice /> : null}
      {newer === undefined ? null : (
        <NewerVersion from={base} to={newer} onLoad={load} onSave={() => save(newer)} />
      )}
      <RouteFields
        form={form}
        call={{ method, path }}
        isNew={base === undefined}
        isReadOnly={!maySave}
        isBusy={isSaving}
        error={error}
        onChange={change}
        onSave={() => save(base)}
      />
    </>
  )
}

interface DeleteButtonProps {
  readonly route: GatewayRoute
  /** Shows the route as it is stored. */
  readonly onAnew: () => void
}

function DeleteButton({ route, onAnew }: DeleteButtonProps) {
  const { t } = useTranslation('routes')
  const { name } = route
  const { remove } = useRouteChanges()
  const [isAsked, setIsAsked] = useState(false)
  const isAllowed = useIsAllowed('DELETE', routeCallPath(name))
  if (!isAllowed) return null
  return (
    <>
      <Button color="red" variant="outline" onClick={() => setIsAsked(true)}>
        {t('delete')}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={t('deleteNamed', { name })}
          action={t('delete')}
          onConfirm={async () => (await remove(route, onAnew))()}
          onClose={() => setIsAsked(false)}
        >
          <Text>{t('deleteWarning')}</Text>
          <ShowAsButton
            call={{ method: 'DELETE', path: routeCallPath(name) }}
            command={`gatehouse route delete ${quoted(name)}`}
          />
        </ConfirmDialog>
      ) : null}
    </>
  )
}
