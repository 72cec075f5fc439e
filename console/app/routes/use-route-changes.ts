import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { askWhetherAllowed, type Call } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { notifyDone } from '../components/notify.ts'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { type GatewayRoute, type RouteToSend, routeCallPath } from './gateway-routes.ts'
import { formOf, routeOf } from './route-form.ts'

/** Creates, replaces and deletes routes, and offers to undo it where the roles allow that. */
export function useRouteChanges() {
  const { t } = useTranslation('routes')
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: ['routes'] })

  async function tell(message: string, reverse: Call, undo: () => Promise<unknown>): Promise<void> {
    await navigate('/routes')
    await refresh()
    if (!(await askWhetherAllowed(reverse).catch(() => false))) return notifyDone(message)
    return notifyWithUndo({ message, label: t('undo'), undo: () => undo().then(refresh) })
  }

  const savedText = ({ warnings = [] }: { readonly warnings?: readonly string[] }) =>
    [t('saved'), ...warnings].join(' ')

  return {
    async create(body: RouteToSend): Promise<void> {
      const written = await createRoute(body)
      const { name } = body
      await tell(savedText(written), { method: 'DELETE', path: routeCallPath(name) }, () => deleteRoute(name))
    },
    async replace(before: GatewayRoute, body: RouteToSend): Promise<void> {
      const { name } = before
      const written = await replaceRoute(name, body)
      const undo = () => replaceRoute(name, sentAs(before))
      await tell(savedText(written), { method: 'PUT', path: routeCallPath(name) }, undo)
    },
    async remove(before: GatewayRoute): Promise<void> {
      await deleteRoute(before.name)
      await tell(t('deleted'), { method: 'POST', path: '/manage/routes' }, () => createRoute(sentAs(before)))
    },
  }
}

/** A stored route as it is sent to have it again. */
function sentAs(route: GatewayRoute): RouteToSend {
  return routeOf(formOf(route))
}

function createRoute(body: RouteToSend) {
  return dataOf(gateway.POST('/manage/routes', { body }))
}

function replaceRoute(name: string, body: RouteToSend) {
  return dataOf(gateway.PUT('/manage/routes/{name}', { params: { path: { name } }, body }))
}

function deleteRoute(name: string) {
  return dataOf(gateway.DELETE('/manage/routes/{name}', { params: { path: { name } } }))
}
