import type { KeyboardEvent, ReactNode } from 'react'
import type { RowGridProps } from '../row-grid.tsx'
import type { Row } from '../rows.ts'
import type { Table } from '../tables.ts'
import { hasBulk } from './bulk-rights.ts'
import { SelectPage, SelectRow } from './select-boxes.tsx'
import type { Selection } from './use-selection.ts'

interface SelectableRowsProps {
  readonly table: Table
  readonly page: readonly Row[]
  /** Whether other rows are being read: those that are shown may not be of the list that is selected from. */
  readonly isBusy: boolean
  readonly selection: Selection
  /** What stands beside the box of a row. */
  readonly rowActions: RowGridProps['rowActions']
  /** The grid, with what it needs to show the boxes. */
  readonly children: (props: Pick<RowGridProps, 'rowActions' | 'headActions' | 'actionsWidth'>) => ReactNode
}

const boxWidth = 28
const openWidth = 44

/** A grid whose rows can be selected, where the roles allow something to be done with many of them. */
export function SelectableRows({
  table,
  page,
  isBusy,
  selection,
  rowActions,
  children,
}: SelectableRowsProps) {
  if (!hasBulk(table) || page.some(({ id }) => id === undefined)) {
    return children(rowActions === undefined ? {} : { rowActions })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const cell =
      event.key === ' ' && event.target instanceof HTMLElement ? event.target.dataset.cell : undefined
    const row = cell === undefined ? undefined : page[Number(cell.split(':')[0])]
    if (row === undefined) return
    event.preventDefault()
    if (!isBusy) selection.toggle(row, page, event.shiftKey)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the grid inside.
    <div onKeyDown={onKeyDown}>
      {children({
        rowActions: (row) => (
          <>
            <SelectRow table={table} row={row} page={page} isBusy={isBusy} selection={selection} />
            {rowActions?.(row)}
          </>
        ),
        headActions: <SelectPage page={page} isBusy={isBusy} selection={selection} />,
        actionsWidth: openWidth + boxWidth,
      })}
    </div>
  )
}
