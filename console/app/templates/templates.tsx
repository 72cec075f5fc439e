import { Route, Routes } from 'react-router'
import { NotFound } from '../shell/not-found.tsx'
import { TemplateList } from './template-list.tsx'
import { TemplatePage } from './template-page.tsx'

/** The templates of the web front, and the files that they make. */
export function Templates() {
  return (
    <Routes>
      <Route index element={<TemplateList />} />
      <Route path=":name" element={<TemplatePage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
