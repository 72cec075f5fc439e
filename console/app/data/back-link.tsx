import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { pathOfTable } from './table-view.ts'

/** Leads back: from a record to its table, otherwise to the list of tables. */
export function BackLink({ table }: { readonly table?: string }) {
  const { t } = useTranslation('data')
  return (
    <Anchor component={Link} to={table === undefined ? '/data' : pathOfTable(table)} size="sm">
      {table === undefined ? t('list.back') : t('record.back', { table })}
    </Anchor>
  )
}
