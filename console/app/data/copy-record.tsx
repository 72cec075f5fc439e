import { Button, CopyButton } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { apiPathOf } from './record-address.ts'
import { recordDocument } from './row-documents.ts'
import type { Row } from './rows.ts'
import { recordCall } from './show-list.ts'
import type { Table } from './tables.ts'
import { wantedWhole } from './wanted.ts'

interface CopyRecordProps {
  readonly table: Table
  readonly row: Row
  readonly id: string
}

/** Takes a record elsewhere: as JSON, or as the request that reads it. */
export function CopyRecord({ table, row, id }: CopyRecordProps) {
  const { t } = useTranslation('data')
  const record = Object.fromEntries(table.fields.map(({ name }) => [name, row.values[name] ?? null]))
  const { document, variables } = recordDocument(table, wantedWhole(table), id)
  const graphql = `${document}\n\n# ${JSON.stringify(variables)}`
  return (
    <>
      <CopyButton value={JSON.stringify(record, undefined, 2)}>
        {({ copied, copy }) => (
          <Button variant="default" leftSection={<IconCopy size={16} />} onClick={copy}>
            {copied ? t('record.copied') : t('record.copy')}
          </Button>
        )}
      </CopyButton>
      <ShowAsButton
        call={recordCall(table, id, apiPathOf(table, row.values))}
        {...(table.graphql ? { graphql } : {})}
      />
    </>
  )
}
