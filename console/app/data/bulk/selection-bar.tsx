import { Button, Group, Paper, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazily } from '../../components/lazily.tsx'
import { useSession } from '../../shell/session-gate.tsx'
import type { ListArguments } from '../row-documents.ts'
import { countRows, type Row } from '../rows.ts'
import { tableRights } from '../table-rights.ts'
import { rowsKey, type Table } from '../tables.ts'
import { hasBulk } from './bulk-rights.ts'
import { keptReport, reportKey } from './kept-report.ts'
import type { Selection } from './use-selection.ts'

const BulkDialog = lazily(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

interface SelectionBarProps {
  readonly table: Table
  readonly list: ListArguments
  readonly page: readonly Row[]
  readonly selection: Selection
}

/** How many rows are selected, and what can be done with them. */
export function SelectionBar({ table, list, page, selection }: SelectionBarProps) {
  const { t, i18n } = useTranslation('bulk')
  const { account } = useSession()
  const [kept, setKept] = useState(() => keptReport(reportKey(account.name, table.name)))
  const [action, setAction] = useState(kept?.kind)
  const { rows, isAll } = selection
  const isSome = isAll || rows.size > 0
  const isPageSelected = page.length > 0 && page.every(selection.has)
  const { data: total } = useQuery({
    queryKey: [...rowsKey(table.name), 'count', list.filters],
    queryFn: ({ signal }) => countRows(table, list.filters, signal),
    enabled: isPageSelected,
  })
  if (!hasBulk(table) || (!isSome && action === undefined)) return null
  const rights = tableRights(table)
  const shown = (count: number) => count.toLocaleString(i18n.language)
  const count = isAll ? total : rows.size
  return (
    <Paper withBorder p="xs" mb="xs" role="region" aria-label={t('select.label')}>
      <Group gap="xs">
        <Text size="sm" role="status">
          {count === undefined ? t('select.counting') : t('select.count', { count, shown: shown(count) })}
        </Text>
        {!isAll && isPageSelected && total !== undefined && total > rows.size ? (
          <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
            {t('select.all', { count: total, shown: shown(total) })}
          </Button>
        ) : null}
        {rights.PATCH || rights.PUT ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} />}
            onClick={() => setAction('change')}
          >
            {t('change.button')}
          </Button>
        ) : null}
        {rights.DELETE ? (
          <Button
            size="compact-sm"
            variant="outline"
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => setAction('delete')}
          >
            {t('delete.button')}
          </Button>
        ) : null}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.clear}>
          {t('select.clear')}
        </Button>
      </Group>
      {action === undefined ? null : (
        <Suspense fallback={null}>
          <BulkDialog
            kind={action}
            table={table}
            list={list}
            rows={isAll ? undefined : [...rows.values()]}
            count={count}
            onDone={selection.clear}
            kept={kept}
            onClose={() => {
              setAction(undefined)
              setKept(undefined)
            }}
          />
        </Suspense>
      )}
    </Paper>
  )
}
