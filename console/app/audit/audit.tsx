import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../components/page-header.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { noFilters, queryOf } from './audit-filters.ts'
import { AuditTable } from './audit-table.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterForm } from './filter-form.tsx'

/** Who changed what, when, and from where. */
export function Audit() {
  const { t } = useTranslation('audit')
  const [filters, setFilters] = useState(noFilters)
  const [settled] = useDebouncedValue(filters, 250)
  const query = new URLSearchParams(queryOf(settled)).toString()
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <ShowAsButton
              call={{ method: 'GET', path: `/manage/audit${query === '' ? '' : `?${query}`}` }}
              {...(query === '' ? { command: 'gatehouse audit' } : {})}
            />
            <ExportMenu filters={settled} />
          </>
        }
      />
      <Stack>
        <FilterForm filters={filters} onChange={setFilters} />
        <AuditTable filters={settled} />
      </Stack>
    </>
  )
}
