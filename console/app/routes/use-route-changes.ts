import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { askWhetherAllowed, type Call } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { matching, taggedOf } from '../api/tagged.ts'
import { notifyDone } from '../components/notify.ts'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { removeSeen } from '../components/remove-seen.ts'
import {
  type GatewayRoute,
  oneRouteKey,
  type RouteToSend,
  readRoute,
  routeCallPath,
  routeQuery,
} from './gateway-routes.ts'
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
  async function refresh(): Promise<void> {
    // What a page that is being left shows may be gone.
    await client.invalidateQueries({ queryKey: oneRouteKey, refetchType: 'none' })
    const isOne = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[1] === oneRouteKey[1]
    await client.invalidateQueries({ queryKey: ['routes'], predicate: (query) => !isOne(query) })
  }

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
      const { value: written, etag } = await createRoute(body)
      const { name } = body
      const reverse = { method: 'DELETE', path: routeCallPath(name) } as const
      return telling(savedText(written), reverse, () => deleteRoute(name, etag))
    },
    /** Rejects with status 412 if the route is not as it was with this tag. */
    async replace(before: GatewayRoute, body: RouteToSend, etag: string): Promise<Telling> {
      const { name } = before
      const written = await replaceRoute(name, body, etag)
      const undo = () => replaceRoute(name, sentAs(before), written.etag)
      return telling(savedText(written.value), { method: 'PUT', path: routeCallPath(name) }, undo)
    },
    /** `showAnew` shows the route that was kept because someone else has changed it. */
    async remove(before: GatewayRoute, showAnew: () => void): Promise<Telling> {
      const { name } = before
      const isRemoved = await removeSeen({
        seen: before,
        read: () => readRoute(name),
        remove: (etag) => deleteRoute(name, etag),
        show(newer) {
          client.setQueryData(routeQuery(name).queryKey, newer)
          showAnew()
        },
      })
      if (!isRemoved) return async () => {}
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
  return taggedOf(gateway.POST('/manage/routes', { body }))
}

function replaceRoute(name: string, body: RouteToSend, etag: string) {
  const params = { path: { name }, ...matching(etag) }
  return taggedOf(gateway.PUT('/manage/routes/{name}', { params, body }))
}

function deleteRoute(name: string, etag: string) {
  const params = { path: { name }, ...matching(etag) }
  return dataOf(gateway.DELETE('/manage/routes/{name}', { params }))
}
