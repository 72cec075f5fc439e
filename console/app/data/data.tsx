import { Route, Routes } from 'react-router'
import { NotFound } from '../shell/not-found.tsx'
import { ChangeRecordPage } from './edit/change-record-page.tsx'
import { NewRecordPage } from './edit/new-record-page.tsx'
import { RecordPage } from './record-page.tsx'
import { TableList } from './table-list.tsx'
import { TablePage } from './table-page.tsx'

/** The tables that the roles allow, their rows, and each record. */
export function Data() {
  return (
    <Routes>
      <Route index element={<TableList />} />
      <Route path=":table" element={<TablePage />} />
      <Route path=":table/:id" element={<RecordPage />} />
      <Route path=":table/records/new" element={<NewRecordPage />} />
      <Route path=":table/:id/edit" element={<ChangeRecordPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
