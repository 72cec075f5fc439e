import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { templatesQuery } from './template-calls.ts'
import { TemplateForm } from './template-form.tsx'

/** One template, to be filled. */
export function TemplatePage() {
  const { t } = useTranslation('templates')
  const { name = '' } = useParams()
  const query = useQuery(templatesQuery)
  return (
    <>
      <Anchor component={Link} to="/templates" size="sm">
        {t('back')}
      </Anchor>
      <QueryContent query={query}>
        {(templates) => {
          const template = templates.find((one) => one.name === name)
          if (template === undefined) return <NotFound />
          return (
            <>
              <PageHeader title={name} />
              <TemplateForm key={name} template={template} />
            </>
          )
        }}
      </QueryContent>
    </>
  )
}
