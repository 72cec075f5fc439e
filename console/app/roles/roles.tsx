import { Route, Routes } from 'react-router'
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
      <Route path="new" element={<NewRole />} />
      <Route path="test" element={<TesterPage />} />
      <Route path="named/:name" element={<RolePage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
