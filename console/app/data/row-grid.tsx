import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { GridColumn } from './columns.ts'
import classes from './data.module.css'
import { GridHead } from './grid-head.tsx'
import { GridRow } from './grid-row.tsx'
import type { Row } from './rows.ts'
import { pathOfRecord, type TableView } from './table-view.ts'
import type { Field, Table } from './tables.ts'
import { type GridKeys, useGridKeys } from './use-grid-keys.ts'
import { WholeValue } from './whole-value.tsx'

export interface RowGridProps {
  readonly table: Table
  readonly columns: readonly GridColumn[]
  readonly rows: readonly Row[]
  /** What the grid lists, for screen readers. */
  readonly label: string
  /** CSS; more rows scroll. */
  readonly maxHeight: string
  /** Whether other rows are being read. */
  readonly isBusy?: boolean
  /** The order of the rows, which the heads show; absent if it cannot be changed. */
  readonly view?: TableView
  readonly onSort?: (field: string, isFurther: boolean) => void
  readonly onResize?: (column: string, width: number) => void
  /** Moves a column before another one. */
  readonly onMove?: (column: string, before: string) => void
  /** What stands at the start of each row, after the link to the record. */
  readonly rowActions?: (row: Row) => ReactNode
  /** What stands above them. */
  readonly headActions?: ReactNode
  /** The width of the column with these, in pixels. */
  readonly actionsWidth?: number
  /** Starts to edit a value: a double click, Enter or F2. Gives whether it can be edited. */
  readonly onEdit?: (row: Row, field: Field) => boolean
  /** Whether a value of a row is being edited in its cell. Such a row stays in the document wherever the frame is scrolled to. */
  readonly isEdited?: (row: Row) => boolean
  /** What stands in place of a value, for example while it is edited; undefined for the value itself. */
  readonly renderValue?: RenderValue
}

/** `onGoOn` starts to edit the next value that can be edited, or the one before; it gives whether there is one. */
export type RenderValue = (row: Row, field: Field, onGoOn: (step: 1 | -1) => boolean) => ReactNode | undefined

const rowHeight = 36
const openWidth = 44

/** Rows of a table in a frame that scrolls. Only those in the window are in the document. */
export function RowGrid(props: RowGridProps) {
  const { table, columns, rows, label, maxHeight, isBusy = false, onEdit, isEdited } = props
  const { actionsWidth = openWidth } = props
  const navigate = useNavigate()
  const frame = useRef<HTMLDivElement>(null)
  const [whole, setWhole] = useState<{ readonly field: Field; readonly text: string }>()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    rangeExtractor(range) {
      const edited = rows.flatMap((row, index) => (isEdited?.(row) ? [index] : []))
      return [...new Set([...defaultRangeExtractor(range), ...edited])].sort((a, b) => a - b)
    },
  })
  const open = (index: number) => {
    const id = rows[index]?.id
    if (id !== undefined) void navigate(pathOfRecord(table.name, id))
  }
  const editAt = (row: number, place: number) => {
    const column = columns[place - 1]
    const found = rows[row]
    return found !== undefined && column?.kind === 'field' && onEdit?.(found, column.field) === true
  }
  const goOn = (row: number, place: number, step: 1 | -1) => {
    const cells = rows.length * columns.length
    for (let cell = row * columns.length + place - 1 + step; cell >= 0 && cell < cells; cell += step) {
      const next = Math.floor(cell / columns.length)
      if (!editAt(next, (cell % columns.length) + 1)) continue
      if (next !== row) virtual.scrollToIndex(next)
      return true
    }
    return false
  }
  const keys = useGridKeys(frame, {
    rows: rows.length,
    columns: columns.length + 1,
    pageRows: Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2),
    scrollTo: (row) => virtual.scrollToIndex(row),
    onOpen: open,
    onEdit: onEdit && (({ row, column }) => isBusy || editAt(row, column)),
    onResize(place, change) {
      const column = columns[place - 1]
      if (column !== undefined) props.onResize?.(column.name, column.width + change)
    },
  })
  const top = rows[0]?.id ?? rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top.
  useEffect(() => void frame.current?.scrollTo({ top: 0 }), [top])

  const width = actionsWidth + columns.reduce((sum, column) => sum + column.width, 0)
  return (
    <>
      <div ref={frame} className={classes.frame} style={{ maxHeight }}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: with this role a table is a grid of cells.
          role="grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + 1}
          aria-busy={isBusy}
          className={classes.grid}
          style={{ width }}
          onKeyDown={keys.onKeyDown}
          onFocus={keys.onFocus}
        >
          <colgroup>
            <col style={{ width: actionsWidth }} />
            {columns.map((column) => (
              <col key={column.name} style={{ width: column.width }} />
            ))}
          </colgroup>
          <GridHead {...props} keys={keys} />
          <GridBody
            {...props}
            virtual={virtual}
            keys={keys}
            onShowWhole={(field, text) => setWhole({ field, text })}
            // The rows that are read would take its place.
            onEditAt={isBusy ? () => false : editAt}
            onGoOn={goOn}
          />
        </table>
      </div>
      {whole === undefined ? null : <WholeValue {...whole} onClose={() => setWhole(undefined)} />}
    </>
  )
}

interface GridBodyProps
  extends Pick<RowGridProps, 'table' | 'columns' | 'rows' | 'rowActions' | 'renderValue'> {
  readonly virtual: Virtualizer<HTMLDivElement, Element>
  readonly keys: GridKeys
  readonly onShowWhole: (field: Field, text: string) => void
  readonly onEditAt: (row: number, place: number) => boolean
  readonly onGoOn: (row: number, place: number, step: 1 | -1) => boolean
}

/** The rows in the window, between what stands for the others. */
function GridBody({ table, columns, rows, virtual, keys, onShowWhole, ...props }: GridBodyProps) {
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <>
      {above > 0 ? <Spacer height={above} /> : null}
      <tbody>
        {items.map(({ index, start }, place) => {
          const row = rows[index]
          const gap = start - (items[place - 1]?.end ?? above)
          return row === undefined ? null : (
            <Fragment key={index}>
              {gap > 0 ? <SpacerRow height={gap} /> : null}
              <GridRow
                table={table}
                columns={columns}
                keys={keys}
                onShowWhole={onShowWhole}
                row={row}
                index={index}
                actions={props.rowActions?.(row)}
                onEdit={(place) => props.onEditAt(index, place)}
                onGoOn={(place, step) => props.onGoOn(index, place, step)}
                renderValue={props.renderValue}
              />
            </Fragment>
          )
        })}
      </tbody>
      {below > 0 ? <Spacer height={below} /> : null}
    </>
  )
}

/** Stands for the rows that are out of the window. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tbody aria-hidden="true">
      <SpacerRow height={height} />
    </tbody>
  )
}

function SpacerRow({ height }: { readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it stands for rows, and is none.
    <tr role="none">
      <td role="none" style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
