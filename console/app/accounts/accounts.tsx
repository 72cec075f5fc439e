import { Route, Routes } from 'react-router'
import { AllowedPage } from '../components/allowed-page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { AccountList } from './account-list.tsx'
import { AccountPage } from './account-page.tsx'
import { NewAccount } from './new-account.tsx'

/** The accounts: who may log on. */
export function Accounts() {
  return (
    <Routes>
      <Route index element={<AccountList />} />
      <Route
        path="new"
        element={
          <AllowedPage calls={[{ method: 'POST', path: '/manage/accounts' }]}>
            <NewAccount />
          </AllowedPage>
        }
      />
      <Route
        path="named/:username"
        element={
          <AllowedPage calls={[{ method: 'GET', path: '/manage/accounts/:username' }]}>
            <AccountPage />
          </AllowedPage>
        }
      />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
