import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { apiPathOf } from '../record-address.ts'
import type { Row } from '../rows.ts'
import { tableRights } from '../table-rights.ts'
import { pathOfRecord } from '../table-view.ts'
import { rowsKey, type Table } from '../tables.ts'
import { DeleteRecord } from './delete-record.tsx'
import { pathOfNewRecord } from './edit-paths.ts'
import { readStored } from './record-calls.ts'
import { useRecordRights } from './record-rights.ts'
import { storedOf } from './stored-record.ts'

interface RecordActionsProps {
  readonly table: Table
  readonly row: Row
  readonly id: string
  readonly title: string
}

/** What the roles allow with a record that is shown: to change it, and to delete it. */
export function RecordActions({ table, row, id, title }: RecordActionsProps) {
  const { t } = useTranslation('data')
  const path = apiPathOf(table, row.values)
  const { rights } = useRecordRights(table, path)
  const { data: stored } = useQuery({
    queryKey: [...rowsKey(table.name), 'shown', path, row.values],
    queryFn: ({ signal }) => readStored(path ?? '', signal),
    enabled: path !== undefined && rights?.GET === true && rights.DELETE,
  })
  if (path === undefined || rights === undefined) return null
  const shown = rights.GET ? stored : storedOf(path, table, row)
  return (
    <>
      {rights.PATCH || rights.PUT ? (
        <Button
          component={Link}
          to={`${pathOfRecord(table.name, id)}/edit`}
          leftSection={<IconPencil size={16} />}
        >
          {t('edit.change')}
        </Button>
      ) : null}
      {rights.DELETE && shown !== undefined ? (
        <DeleteRecord table={table} title={title} shown={shown} rights={rights} />
      ) : null}
    </>
  )
}

/** Leads to the form of a new record, if the roles allow to create one. */
export function NewRecordButton({ table }: { readonly table: Table }) {
  const { t } = useTranslation('data')
  if (!tableRights(table).POST) return null
  return (
    <Button component={Link} to={pathOfNewRecord(table.name)} leftSection={<IconPlus size={16} />}>
      {t('edit.new')}
    </Button>
  )
}
