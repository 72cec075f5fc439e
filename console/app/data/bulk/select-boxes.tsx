import { Checkbox, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Row } from '../rows.ts'
import type { Table } from '../tables.ts'
import { nameOfRow } from './bulk-actions.ts'
import type { Selection } from './use-selection.ts'

interface SelectRowProps {
  readonly table: Table
  readonly row: Row
  readonly page: readonly Row[]
  readonly isBusy: boolean
  readonly selection: Selection
}

/** Selects a row; with Shift, all from the last one. The space bar does the same on any cell of the row. */
export function SelectRow({ table, row, page, isBusy, selection }: SelectRowProps) {
  const { t } = useTranslation('bulk')
  return (
    <Checkbox
      size="xs"
      tabIndex={-1}
      aria-label={t('select.row', { name: nameOfRow(table, row) })}
      checked={selection.has(row)}
      disabled={isBusy}
      onChange={(event) => {
        const isRange = event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey
        selection.toggle(row, page, isRange)
      }}
    />
  )
}

/** Selects all rows of a page, or none. */
export function SelectPage({ page, isBusy, selection }: Omit<SelectRowProps, 'row' | 'table'>) {
  const { t } = useTranslation('bulk')
  const { t: shared } = useTranslation('data')
  const isWhole = page.length > 0 && page.every(selection.has)
  return (
    <>
      <VisuallyHidden>{shared('grid.open')}</VisuallyHidden>
      <Checkbox
        size="xs"
        ml={32}
        aria-label={t('select.page')}
        checked={isWhole}
        disabled={isBusy}
        indeterminate={!isWhole && page.some(selection.has)}
        onChange={() => selection.togglePage(page)}
      />
    </>
  )
}
