import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useKeptForm } from '../components/use-kept-form.ts'
import { useNewer } from '../components/use-newer.ts'
import { type GatewayRoute, readRoute, routeQuery } from './gateway-routes.ts'
import { emptyForm, formOf, type RouteForm, routeOf } from './route-form.ts'
import { useRouteChanges } from './use-route-changes.ts'

interface Begun {
  /** The route that is changed, as the edit began with it; absent for a new one. */
  readonly base?: GatewayRoute
  readonly form: RouteForm
}

/** A route while it is edited: what the form has, and what someone else has made of the route meanwhile. */
export function useEditedRoute(existing: GatewayRoute | undefined) {
  const client = useQueryClient()
  const { create, replace } = useRouteChanges()
  const kept = useKeptForm<Begun>()
  const [{ base, form }, setEdited] = useState<Begun>(() => kept.restored ?? begin(existing))
  const [saved, setSaved] = useState<{ readonly tell: () => Promise<void> }>()
  const { newer, forget, saveOver } = useNewer<GatewayRoute>({
    async read() {
      const route = await readRoute(base?.name ?? '')
      client.setQueryData(routeQuery(route.value.name).queryKey, route.value)
      return route
    },
    isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  })
  const isChanged = saved === undefined && JSON.stringify(form) !== JSON.stringify(begin(base).form)
  kept.hold(isChanged ? { ...(base === undefined ? {} : { base }), form } : undefined)
  const save = useMutation({
    async mutationFn(seen: GatewayRoute | undefined) {
      const route = routeOf(form)
      if (seen === undefined) setSaved({ tell: await create(route) })
      else {
        const tell = await saveOver(seen, (etag) => replace(seen, route, etag))
        if (tell !== undefined) setSaved({ tell })
      }
    },
  })
  // Only when the guard of the form has let go.
  useEffect(() => {
    void saved?.tell()
  }, [saved])
  return {
    base,
    form,
    newer,
    isChanged,
    isRestored: isChanged && kept.restored !== undefined,
    isSaving: save.isPending || saved !== undefined,
    error: save.error,
    change: (changed: RouteForm) => setEdited({ ...(base === undefined ? {} : { base }), form: changed }),
    /** Saves it over the version of the route that was seen. */
    save: (seen: GatewayRoute | undefined) => save.mutate(seen),
    /** Begins again with what someone else has stored. */
    load() {
      setEdited(begin(newer))
      forget()
    },
  }
}

function begin(route: GatewayRoute | undefined): Begun {
  return route === undefined ? { form: emptyForm } : { base: route, form: formOf(route) }
}
