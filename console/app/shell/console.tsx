// The first page is loaded with the frame.
import '../overview/overview.tsx'
import { type ComponentType, Suspense } from 'react'
import { createBrowserRouter, type RouteObject, RouterProvider, useParams } from 'react-router'
import { basePath } from '../base-path.ts'
import { AllowedPage } from '../components/allowed-page.tsx'
import { Loading } from '../components/loading.tsx'
import { loaded } from '../components/not-loaded.ts'
import { loadNotices } from '../components/notices.tsx'
import { loadTexts } from '../language/messages.ts'
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
      errorElement: <ErrorPage />,
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
function routeOf(area: Area): RouteObject {
  const lazy = async () => {
    const parts = Promise.all([
      area.load(),
      loadTexts([area.name, ...(area.texts ?? [])]),
      ...(area.path === '' ? [] : [import('../mantine-styles-more.ts'), loadNotices()]),
    ])
    const [Page] = await loaded(parts)
    return { Component: () => <AreaPage area={area} Page={Page} /> }
  }
  return area.path === '' ? { index: true, lazy } : { path: `${area.path}/*`, lazy }
}

interface AreaPageProps {
  readonly area: Area
  readonly Page: ComponentType
}

/** What an area shows. Its first page needs what the area needs; the others say it themselves. */
function AreaPage({ area: { needs }, Page }: AreaPageProps) {
  const { '*': below = '' } = useParams()
  // Texts of further folders are loaded when they are first shown.
  const page = (
    <Suspense fallback={<Loading />}>
      <Page />
    </Suspense>
  )
  return below !== '' || needs.length === 0 ? page : <AllowedPage calls={needs}>{page}</AllowedPage>
}
