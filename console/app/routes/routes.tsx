import { Route, Routes as RouterRoutes } from 'react-router'
import { AllowedPage } from '../components/allowed-page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { RouteEditor } from './route-editor.tsx'
import { RouteList } from './route-list.tsx'

/** The routes of the gateway: upstream APIs, and what is public. */
export function Routes() {
  return (
    <RouterRoutes>
      <Route index element={<RouteList />} />
      <Route
        path="new"
        element={
          <AllowedPage calls={[{ method: 'POST', path: '/manage/routes' }]}>
            <RouteEditor />
          </AllowedPage>
        }
      />
      <Route
        path="edit/:name"
        element={
          <AllowedPage calls={[{ method: 'GET', path: '/manage/routes/:name' }]}>
            <RouteEditor />
          </AllowedPage>
        }
      />
      <Route path="*" element={<NotFound />} />
    </RouterRoutes>
  )
}
