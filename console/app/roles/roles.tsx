import { Route, Routes } from 'react-router'
import { AllowedPage } from '../components/allowed-page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { NewRole } from './new-role.tsx'
import { RoleList } from './role-list.tsx'
import { RolePage } from './role-page.tsx'
import { TesterPage } from './tester-page.tsx'

/** The roles: what accounts may call. */
export function Roles() {
  return (
    <Routes>
      <Route index element={<RoleList />} />
      <Route
        path="new"
        element={
          <AllowedPage calls={[{ method: 'POST', path: '/manage/roles' }]}>
            <NewRole />
          </AllowedPage>
        }
      />
      <Route
        path="test"
        element={
          <AllowedPage calls={[{ method: 'GET', path: '/manage/explain-access' }]}>
            <TesterPage />
          </AllowedPage>
        }
      />
      <Route
        path="named/:name"
        element={
          <AllowedPage calls={[{ method: 'GET', path: '/manage/roles/:name' }]}>
            <RolePage />
          </AllowedPage>
        }
      />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
