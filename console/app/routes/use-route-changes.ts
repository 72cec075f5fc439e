import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { askWhetherAllowed, type Call } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { notifyDone } from '../components/notify.ts'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { type GatewayRoute, type RouteToSend, routeCallPath } from './gateway-routes.ts'
import { formOf, routeOf } from './route-form.ts'

/** To be called when what was done may be left behind. */
type Telling = () => Promise<void>

/**
 * Creates, replaces and deletes routes. Each gives what then leads to the list, says that it is done, and offers to undo it where
 * the roles allow that.
 */
export function useRouteChanges() {
  const { t } = useTranslation('routes')
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: ['routes'] })

  const telling = (message: string, reverse: Call, undo: () => Promise<unknown>) => async () => {
    await navigate('/routes')
    await refresh()
    if (!(await askWhetherAllowed(reverse).catch(() => false))) return notifyDone(message)
    notifyWithUndo({ message, label: t('undo'), undo: () => undo().then(refresh) })
  }

  const savedText = ({ warnings = [] }: { readonly warnings?: readonly string[] }) =>
    [t('saved'), ...warnings].join(' ')

  return {
    async create(body: RouteToSend): Promise<Telling> {
      const written = await createRoute(body)
      const { name } = body
      const reverse = { method: 'DELETE', path: routeCallPath(name) } as const
      return telling(savedText(written), reverse, () => deleteRoute(name))
    },
    async replace(before: GatewayRoute, body: RouteToSend): Promise<Telling> {
      const { name } = before
      const written = await replaceRoute(name, body)
      const undo = () => replaceRoute(name, sentAs(before))
      return telling(savedText(written), { method: 'PUT', path: routeCallPath(name) }, undo)
    },
    async remove(before: GatewayRoute): Promise<Telling> {
      await deleteRoute(before.name)
      const undo = () => createRoute(sentAs(before))
      return telling(t('deleted'), { method: 'POST', path: '/manage/routes' }, undo)
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
