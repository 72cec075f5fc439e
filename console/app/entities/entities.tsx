import { Suspense } from 'react'
import { Navigate, Route, Routes, useParams } from 'react-router'
import { AllowedPage } from '../components/allowed-page.tsx'
import { lazily } from '../components/lazily.tsx'
import { Loading } from '../components/loading.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { AdoptPage } from './adopt/adopt-page.tsx'
import { NewEntityPage } from './design/new-entity-page.tsx'
import { EntityListPage } from './entity-list-page.tsx'
import { EntityPage } from './entity-page.tsx'
import { entityPath } from './entity-paths.ts'
import { UploadPage } from './upload/upload-page.tsx'

const DiagramPage = lazily(async () => (await import('./diagram/diagram-page.tsx')).DiagramPage)

/** The area in which data is designed: entity definitions, and what follows from them. */
export function Entities() {
  return (
    <Routes>
      <Route index element={<EntityListPage />} />
      <Route
        path="new"
        element={
          <AllowedPage calls={[{ method: 'POST', path: '/manage/entities' }]}>
            <NewEntityPage />
          </AllowedPage>
        }
      />
      <Route
        path="upload"
        element={
          <AllowedPage calls={[{ method: 'POST', path: '/manage/entities' }]}>
            <UploadPage />
          </AllowedPage>
        }
      />
      <Route
        path="adopt"
        element={
          <AllowedPage calls={[{ method: 'POST', path: '/manage/entities/adopt' }]}>
            <AdoptPage />
          </AllowedPage>
        }
      />
      <Route
        path="diagram"
        element={
          <Suspense fallback={<Loading />}>
            <DiagramPage />
          </Suspense>
        }
      />
      <Route
        path="definition/:name/*"
        element={
          <AllowedPage
            calls={[
              { method: 'GET', path: '/manage/entities/:name' },
              { method: 'GET', path: '/manage/entities/:name/versions' },
            ]}
          >
            <EntityPage />
          </AllowedPage>
        }
      />
      <Route path=":name" element={<ToEntity />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

/** A short address, for people who type it. */
function ToEntity() {
  const { name = '' } = useParams()
  return <Navigate to={entityPath(name)} replace />
}
