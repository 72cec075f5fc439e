import { Route, Routes } from 'react-router'
import { NotFound } from '../shell/not-found.tsx'
import { AccountList } from './account-list.tsx'
import { AccountPage } from './account-page.tsx'
import { NewAccount } from './new-account.tsx'

/** The accounts: who may log on. */
export function Accounts() {
  return (
    <Routes>
      <Route index element={<AccountList />} />
      <Route path="new" element={<NewAccount />} />
      <Route path="named/:username" element={<AccountPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
