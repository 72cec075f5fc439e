import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { labelIn, labelOf } from '../field-label.ts'
import type { Table as ReadTable } from '../tables.ts'
import { type GroupOrder, type GroupSort, isSortable } from './group-order.ts'
import { functionsOfGroups } from './total-functions.ts'
import classes from './totals.module.css'
import type { ColumnTotals } from './totals.ts'
import type { GroupTerm } from './totals-choice.ts'

interface GroupTableHeadProps {
  readonly table: Pick<ReadTable, 'fields'>
  readonly by: readonly GroupTerm[]
  readonly columns: readonly ColumnTotals[]
  readonly order: GroupOrder
  readonly onOrder: (order: GroupOrder) => void
}

/** The heads of groups. A click sorts by one: keys smallest first, values largest first, and then the other way round. */
export function GroupTableHead({ table, by, columns, ...props }: GroupTableHeadProps) {
  const { t } = useTranslation('totals')
  const [first, ...others] = by
  return (
    <Table.Thead>
      <Table.Tr>
        <HeadCell {...props} sort={{ kind: 'keys' }} className={classes.key}>
          {first === undefined ? null : labelIn(table.fields, first.field)}
        </HeadCell>
        {others.map(({ field }) => (
          <Table.Th key={field} scope="col" className={classes.key}>
            {labelIn(table.fields, field)}
          </Table.Th>
        ))}
        <HeadCell {...props} sort={{ kind: 'rows' }} className={classes.number}>
          {t('rows')}
        </HeadCell>
        {columns.flatMap(({ field }) =>
          functionsOfGroups(field).map((fn) => (
            <HeadCell
              key={`${fn} ${field.name}`}
              {...props}
              sort={isSortable(fn) ? { kind: 'value', column: field.name, fn } : undefined}
              className={classes.number}
            >
              {labelOf(field)} <span className={classes.function}>{t(`functions.${fn}`)}</span>
            </HeadCell>
          )),
        )}
      </Table.Tr>
    </Table.Thead>
  )
}

interface HeadCellProps extends Pick<GroupTableHeadProps, 'order' | 'onOrder'> {
  /** Undefined if groups cannot be sorted by it. */
  readonly sort: GroupSort | undefined
  readonly className: string | undefined
  readonly children: ReactNode
}

function HeadCell({ sort, order, onOrder, className, children }: HeadCellProps) {
  if (sort === undefined)
    return (
      <Table.Th scope="col" className={className}>
        {children}
      </Table.Th>
    )
  const isSorted = JSON.stringify(order.by) === JSON.stringify(sort)
  const isDescending = isSorted ? !order.isDescending : sort.kind !== 'keys'
  const ArrowIcon = order.isDescending ? IconArrowDown : IconArrowUp
  return (
    <Table.Th
      scope="col"
      className={className}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton
        fz="inherit"
        className={classes.head}
        onClick={() => onOrder({ by: sort, isDescending })}
      >
        <span>{children}</span>
        {isSorted ? <ArrowIcon size={14} aria-hidden="true" /> : null}
      </UnstyledButton>
    </Table.Th>
  )
}
