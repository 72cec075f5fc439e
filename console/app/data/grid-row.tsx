import { ActionIcon, Group } from '@mantine/core'
import { IconArrowUpRight, IconExternalLink } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CollectionCell } from './collection-cell.tsx'
import type { GridColumn } from './columns.ts'
import classes from './data.module.css'
import type { RenderValue } from './row-grid.tsx'
import type { Row } from './rows.ts'
import { isNumber } from './show-value.ts'
import { pathOfRecord, pathOfTable } from './table-view.ts'
import type { Field, Relation, Table } from './tables.ts'
import type { GridKeys } from './use-grid-keys.ts'
import { ValueCell } from './value-cell.tsx'
import { conditionsOf } from './wanted.ts'

interface GridRowProps {
  readonly table: Table
  readonly columns: readonly GridColumn[]
  readonly row: Row
  readonly index: number
  readonly keys: GridKeys
  readonly actions: ReactNode
  readonly onShowWhole: (field: Field, text: string) => void
  readonly onEdit: (place: number) => boolean
  readonly onGoOn: (place: number, step: 1 | -1) => boolean
  readonly renderValue: RenderValue | undefined
}

/** One row: the link to its record, and its values. */
export function GridRow({ table, columns, row, index, keys, actions, renderValue, ...rest }: GridRowProps) {
  const { t } = useTranslation('data')
  const activeColumn = keys.active.row === index ? keys.active.column : undefined
  return (
    <tr aria-rowindex={index + 2}>
      <td data-cell={`${index}:0`} tabIndex={activeColumn === 0 ? 0 : -1} aria-colindex={1}>
        <Group gap={2} wrap="nowrap">
          {row.id === undefined ? null : (
            <ActionIcon
              component={Link}
              to={pathOfRecord(table.name, row.id)}
              size="sm"
              variant="subtle"
              tabIndex={activeColumn === 0 ? 0 : -1}
              aria-label={t('grid.openRow', { row: index + 1 })}
            >
              <IconArrowUpRight size={16} />
            </ActionIcon>
          )}
          {actions}
        </Group>
      </td>
      {columns.map((column, place) => (
        <GridCell
          key={column.name}
          column={column}
          row={row}
          index={index}
          place={place + 1}
          isActive={activeColumn === place + 1}
          content={
            column.kind === 'field'
              ? renderValue?.(row, column.field, (step) => rest.onGoOn(place + 1, step))
              : undefined
          }
          onShowWhole={rest.onShowWhole}
          onEdit={rest.onEdit}
        />
      ))}
    </tr>
  )
}

interface GridCellProps extends Pick<GridRowProps, 'row' | 'index' | 'onShowWhole' | 'onEdit'> {
  readonly column: GridColumn
  readonly place: number
  readonly isActive: boolean
  /** What stands in place of the value; undefined for the value itself. */
  readonly content: ReactNode | undefined
}

const GridCell = memo(
  function GridCell({ column, row, index, place, isActive, content, ...props }: GridCellProps) {
    return (
      <td
        data-cell={`${index}:${place}`}
        tabIndex={isActive ? 0 : -1}
        aria-colindex={place + 1}
        onDoubleClick={() => props.onEdit(place)}
      >
        {column.kind === 'collection' ? (
          <CollectionCell relation={column.relation} row={row} isReachable={isActive} />
        ) : (
          (content ?? (
            <FieldContent column={column} row={row} isActive={isActive} onShowWhole={props.onShowWhole} />
          ))
        )}
      </td>
    )
  },
  (before, after) =>
    before.row === after.row &&
    before.index === after.index &&
    before.place === after.place &&
    before.column === after.column &&
    before.isActive === after.isActive &&
    before.content === after.content,
)

interface FieldContentProps extends Pick<GridCellProps, 'row' | 'isActive' | 'onShowWhole'> {
  readonly column: GridColumn & { readonly kind: 'field' }
}

function FieldContent({ column, row, isActive, onShowWhole }: FieldContentProps) {
  const { field, reference } = column
  return (
    <div className={isNumber(field) ? `${classes.cell} ${classes.number}` : classes.cell}>
      <ValueCell
        value={row.values[field.name]}
        field={field}
        width={column.width}
        isReachable={isActive}
        onShowWhole={onShowWhole}
      />
      {reference === undefined ? null : (
        <ReferenceLink reference={reference} row={row} isReachable={isActive} />
      )}
    </div>
  )
}

interface ReferenceLinkProps {
  readonly reference: Relation
  readonly row: Row
  readonly isReachable: boolean
}

/** Leads to the record that a row references: itself if it has a GlobalId, otherwise what a filter finds. */
export function ReferenceLink({ reference, row, isReachable }: ReferenceLinkProps) {
  const { t } = useTranslation('data')
  const conditions = conditionsOf(reference, row)
  const id = row.references[reference.name]
  // A reference to nothing: the other row is gone, and the database does not care.
  if (conditions === undefined || id === null) return null
  return (
    <ActionIcon
      component={Link}
      to={id === undefined ? pathOfTable(reference.table, conditions) : pathOfRecord(reference.table, id)}
      size="xs"
      variant="subtle"
      tabIndex={isReachable ? 0 : -1}
      aria-label={t('grid.reference', { name: reference.name, table: reference.table })}
    >
      <IconExternalLink size={14} />
    </ActionIcon>
  )
}
