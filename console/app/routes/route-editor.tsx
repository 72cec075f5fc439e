import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { type GatewayRoute, routeQuery } from './gateway-routes.ts'
import { RouteFields } from './route-fields.tsx'
import { emptyForm, formOf, type RouteForm, routeOf } from './route-form.ts'

/** Makes a route, or changes the one that the address names. */
export function RouteEditor() {
  const { t } = useTranslation('routes')
  const { name } = useParams()
  const query = useQuery({ ...routeQuery(name ?? ''), enabled: name !== undefined })
  if (name === undefined) {
    return (
      <>
        <PageHeader title={t('create')} />
        <Editor initial={emptyForm} />
      </>
    )
  }
  return (
    <QueryContent query={query}>
      {(route) => (
        <>
          <PageHeader title={t('one', { name })} actions={<DeleteButton route={route} />} />
          <Editor key={name} initial={formOf(route)} existing={name} />
        </>
      )}
    </QueryContent>
  )
}

interface EditorProps {
  readonly initial: RouteForm
  /** Name of the route that is changed. */
  readonly existing?: string
}

function Editor({ initial, existing }: EditorProps) {
  const { t } = useTranslation('routes')
  const client = useQueryClient()
  const navigate = useNavigate()
  const method = existing === undefined ? 'POST' : 'PUT'
  const path = existing === undefined ? '/manage/routes' : `/manage/routes/${encodeURIComponent(existing)}`
  const maySave = useIsAllowed(method, path)
  const save = useMutation({
    mutationFn(form: RouteForm) {
      const body = routeOf(form)
      return existing === undefined
        ? dataOf(gateway.POST('/manage/routes', { body }))
        : dataOf(gateway.PUT('/manage/routes/{name}', { params: { path: { name: existing } }, body }))
    },
    async onSuccess() {
      notifyDone(t('saved'))
      await client.invalidateQueries({ queryKey: ['routes'] })
      await navigate('/routes')
    },
  })
  return (
    <RouteFields
      initial={initial}
      call={{ method, path }}
      isNew={existing === undefined}
      isReadOnly={!maySave}
      isBusy={save.isPending}
      error={save.error}
      onSave={(form) => save.mutate(form)}
    />
  )
}

function DeleteButton({ route: { name } }: { readonly route: GatewayRoute }) {
  const { t } = useTranslation('routes')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const isAllowed = useIsAllowed('DELETE', `/manage/routes/${encodeURIComponent(name)}`)
  if (!isAllowed) return null
  async function remove(): Promise<void> {
    await dataOf(gateway.DELETE('/manage/routes/{name}', { params: { path: { name } } }))
    notifyDone(t('deleted'))
    await navigate('/routes')
    await client.invalidateQueries({ queryKey: ['routes'] })
  }
  return (
    <>
      <Button color="red" variant="outline" onClick={() => setIsAsked(true)}>
        {t('delete')}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={t('deleteNamed', { name })}
          action={t('delete')}
          onConfirm={remove}
          onClose={() => setIsAsked(false)}
        >
          {t('deleteWarning')}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
