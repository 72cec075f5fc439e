import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router'
import { basePath } from '../base-path.ts'
import { Loading } from '../components/loading.tsx'
import { type Area, areas } from './areas.ts'
import { ErrorPage } from './error-page.tsx'
import { NotFound } from './not-found.tsx'
import { SessionGate } from './session-gate.tsx'
import { Shell } from './shell.tsx'

/** The whole console: those who are logged in see the shell, and in it the page of the address. */
export function Console() {
  return (
    <SessionGate>
      <RouterProvider router={router} />
    </SessionGate>
  )
}

const router = createBrowserRouter(
  [
    {
      element: <Shell />,
      hydrateFallbackElement: <Loading />,
      children: [
        {
          errorElement: <ErrorPage />,
          children: [...areas.map(routeOf), { path: '*', element: <NotFound /> }],
        },
      ],
    },
  ],
  { basename: basePath.replace(/\/$/, '') || '/' },
)

/** The code of an area is loaded when one of its addresses is opened. */
function routeOf({ path, load }: Area): RouteObject {
  const lazy = async () => ({ Component: await load() })
  return path === '' ? { index: true, lazy } : { path: `${path}/*`, lazy }
}
