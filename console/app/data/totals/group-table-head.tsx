import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GroupOrder, GroupSort } from './sort-groups.ts'
import { functionsOfGroups } from './total-functions.ts'
import classes from './totals.module.css'
import type { ColumnTotals } from './totals.ts'
import type { GroupTerm } from './totals-choice.ts'

interface GroupTableHeadProps {
  readonly by: readonly GroupTerm[]
  readonly columns: readonly ColumnTotals[]
  readonly order: GroupOrder
  readonly onOrder: (order: GroupOrder) => void
}

/** The heads of groups. A click sorts by one: keys smallest first, values largest first, and then the other way round. */
export function GroupTableHead({ by, columns, ...props }: GroupTableHeadProps) {
  const { t } = useTranslation('totals')
  const [first, ...others] = by
  return (
    <Table.Thead>
      <Table.Tr>
        <HeadCell {...props} sort={{ kind: 'keys' }} className={classes.key}>
          {first?.field}
        </HeadCell>
        {others.map(({ field }) => (
          <Table.Th key={field} scope="col" className={classes.key}>
            {field}
          </Table.Th>
        ))}
        <HeadCell {...props} sort={{ kind: 'rows' }} className={classes.number}>
          {t('rows')}
        </HeadCell>
        {columns.flatMap(({ field }, column) =>
          functionsOfGroups(field).map((fn) => (
            <HeadCell
              key={`${fn} ${field.name}`}
              {...props}
              sort={{ kind: 'value', column, fn }}
              className={classes.number}
            >
              {field.name} <span className={classes.function}>{t(`functions.${fn}`)}</span>
            </HeadCell>
          )),
        )}
      </Table.Tr>
    </Table.Thead>
  )
}

interface HeadCellProps extends Pick<GroupTableHeadProps, 'order' | 'onOrder'> {
  readonly sort: GroupSort
  readonly className: string | undefined
  readonly children: ReactNode
}

function HeadCell({ sort, order, onOrder, className, children }: HeadCellProps) {
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
