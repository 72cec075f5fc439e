import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import { type Template, templatesQuery } from './template-calls.ts'

/** How many are shown at once; a search finds the others. */
const mostShown = 200

/** All templates. */
export function TemplateList() {
  const { t } = useTranslation('templates')
  const query = useQuery(templatesQuery)
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <QueryContent query={query}>
        {(templates) =>
          templates.length === 0 ? (
            <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
          ) : (
            <SearchedTemplates templates={templates} />
          )
        }
      </QueryContent>
    </>
  )
}

function SearchedTemplates({ templates }: { readonly templates: readonly Template[] }) {
  const { t } = useTranslation('templates')
  const [text, setText] = useState('')
  const found = templates.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  return (
    <Stack>
      <SearchField label={t('search')} onSearch={setText} />
      <Text size="sm" c="dimmed" role="status">
        {t('found', { count: found.length })}
      </Text>
      <SimpleTable
        label={t('title')}
        rows={found.slice(0, mostShown)}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: t('title'),
            isHeading: true,
            show: ({ name }) => (
              <Anchor component={Link} to={`/templates/${encodeURIComponent(name)}`}>
                {name}
              </Anchor>
            ),
          },
          { key: 'kind', title: t('kind'), show: ({ extensions }) => extensions.join(', ') },
        ]}
      />
    </Stack>
  )
}
