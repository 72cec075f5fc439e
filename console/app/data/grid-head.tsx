import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { columnWidths, type GridColumn, ownNameOf } from './columns.ts'
import classes from './data.module.css'
import type { RowGridProps } from './row-grid.tsx'
import { isNumber } from './show-value.ts'
import { orderOf } from './table-view.ts'
import type { Field } from './tables.ts'
import type { GridKeys } from './use-grid-keys.ts'

interface GridHeadProps
  extends Pick<RowGridProps, 'columns' | 'view' | 'onSort' | 'onResize' | 'onMove' | 'headActions'> {
  readonly keys: GridKeys
}

/** The names of the columns: a click sorts by one, with Shift by a further one; they can be dragged, and sized. */
export function GridHead({ columns, headActions, ...props }: GridHeadProps) {
  const { t } = useTranslation('data')
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className={classes.head} scope="col" aria-colindex={1}>
          {headActions ?? <VisuallyHidden>{t('grid.open')}</VisuallyHidden>}
        </th>
        {columns.map((column, index) => (
          <HeadCell key={column.name} column={column} place={index + 1} {...props} />
        ))}
      </tr>
    </thead>
  )
}

interface HeadCellProps extends Omit<GridHeadProps, 'columns' | 'headActions'> {
  readonly column: GridColumn
  readonly place: number
}

const dragType = 'application/x-gatehouse-column'

function HeadCell({ column, place, keys, view, onSort, onResize, onMove }: HeadCellProps) {
  const { t } = useTranslation('data')
  const { name } = column
  const order = view && orderOf(view, name)
  const isSortable = column.kind === 'field' && onSort !== undefined
  const isActive = keys.active.row === -1 && keys.active.column === place
  const further = (view?.asc.length ?? 0) + (view?.desc.length ?? 0) > 1
  return (
    <th
      className={classes.head}
      scope="col"
      aria-colindex={place + 1}
      {...(isSortable ? { 'aria-sort': sortName(order?.direction) } : {})}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
      }}
      onDrop={(event) => {
        const dragged = event.dataTransfer.getData(dragType)
        if (dragged !== '' && dragged !== name) onMove?.(dragged, name)
      }}
    >
      <button
        type="button"
        data-cell={`-1:${place}`}
        className={`${classes.headButton} ${column.kind === 'field' && isNumber(column.field) ? classes.number : ''}`}
        tabIndex={isActive ? 0 : -1}
        title={titleOf(column)}
        draggable={onMove !== undefined}
        onDragStart={(event) => event.dataTransfer.setData(dragType, name)}
        onClick={(event) => {
          if (isSortable) onSort(name, event.shiftKey)
        }}
      >
        <span className={classes.headName}>{name}</span>
        {column.kind === 'field' ? <OwnName field={column.field} /> : null}
        {order === undefined ? null : order.direction === 'asc' ? (
          <IconArrowUp size={14} aria-hidden="true" />
        ) : (
          <IconArrowDown size={14} aria-hidden="true" />
        )}
        {order !== undefined && further ? <small>{order.position + 1}</small> : null}
        {column.kind === 'collection' ? <VisuallyHidden>{t('grid.collection')}</VisuallyHidden> : null}
      </button>
      {onResize === undefined ? null : (
        <Resizer width={column.width} onResize={(width) => onResize(name, width)} />
      )}
    </th>
  )
}

/** What the database calls a column, beside a name of GraphQL that says less. */
function OwnName({ field }: { readonly field: Field }) {
  const name = ownNameOf(field)
  return name === undefined ? null : <bdi className={classes.ownName}>{name}</bdi>
}

/** Pulled with the mouse or a finger; with the keyboard, Alt and an arrow on the head do the same. */
function Resizer({
  width,
  onResize,
}: {
  readonly width: number
  readonly onResize: (width: number) => void
}) {
  const start = useRef<number>(undefined)
  const move = (event: PointerEvent) => {
    if (start.current === undefined) return
    const wanted = width + event.clientX - start.current
    const next = Math.min(columnWidths.most, Math.max(columnWidths.least, wanted))
    start.current += next - width
    if (next !== width) onResize(next)
  }
  return (
    <span
      className={classes.resizer}
      aria-hidden="true"
      onPointerDown={(event) => {
        start.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
        event.preventDefault()
      }}
      onPointerMove={move}
      onPointerUp={() => {
        start.current = undefined
      }}
    />
  )
}

function sortName(direction: 'asc' | 'desc' | undefined): 'ascending' | 'descending' | 'none' {
  if (direction === undefined) return 'none'
  return direction === 'asc' ? 'ascending' : 'descending'
}

/** What is known of a column, in its tooltip. */
function titleOf(column: GridColumn): string {
  if (column.kind === 'collection') return `${column.name} · ${column.relation.table}`
  const { name, native_type: type, comment } = column.field
  const own = ownNameOf(column.field)
  return [own === undefined ? name : `${name} (${own})`, type, comment]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
}
