import { Route, Routes as RouterRoutes } from 'react-router'
import { NotFound } from '../shell/not-found.tsx'
import { RouteEditor } from './route-editor.tsx'
import { RouteList } from './route-list.tsx'

/** The routes of the gateway: upstream APIs, and what is public. */
export function Routes() {
  return (
    <RouterRoutes>
      <Route index element={<RouteList />} />
      <Route path="new" element={<RouteEditor />} />
      <Route path="edit/:name" element={<RouteEditor />} />
      <Route path="*" element={<NotFound />} />
    </RouterRoutes>
  )
}
