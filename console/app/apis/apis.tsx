import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Route, Routes, useParams } from 'react-router'
import { needs } from '../../openapi/api-queries.ts'
import { ApiPages } from '../../openapi/apis.tsx'
import {
  type Apis as ApisParts,
  ApisProvider,
  type LinkProps,
  type Texts,
} from '../../openapi/apis-context.ts'
import { apiKinds, pathOf } from '../../openapi/place.ts'
import { AllowedPage } from '../components/allowed-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import type { Language } from '../language/languages.ts'
import { NotFound } from '../shell/not-found.tsx'
import classes from './apis.module.css'
import { sourceIn } from './source.ts'

/** The APIs that who is logged in may call: the pages of `console/openapi` within the console. */
export function Apis() {
  return (
    <Routes>
      <Route index element={<ApisPage />} />
      <Route path=":kind/:name?" element={<ApisPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

function ApisPage() {
  const { t, i18n } = useTranslation('apis')
  const { kind: sought = 'published', name } = useParams()
  const { language } = i18n
  const parts = useMemo((): ApisParts => {
    const texts = i18n.getResourceBundle(language, 'apis') as Texts
    return { source: sourceIn(language as Language), texts, Link: ApiLink }
  }, [i18n, language])
  const kind = apiKinds.find((one) => one === sought)
  if (kind === undefined) return <NotFound />
  return (
    <AllowedPage calls={[needs[kind]]}>
      <div className={classes.page}>
        <PageHeader title={t('title')} description={t('description')} />
        <ApisProvider value={parts}>
          <ApiPages place={{ kind, ...(name === undefined ? {} : { name }) }} />
        </ApisProvider>
      </div>
    </AllowedPage>
  )
}

function ApiLink({ to, className, isCurrent = false, children }: LinkProps) {
  return (
    <Link to={`/apis/${pathOf(to)}`} className={className} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Link>
  )
}
