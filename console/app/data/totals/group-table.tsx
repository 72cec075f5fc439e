import { Anchor, Table, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { documentOfFilters } from '../filters.ts'
import { showValue } from '../show-value.ts'
import { pathOfView, type TableView } from '../table-view.ts'
import type { Field, Table as ReadTable } from '../tables.ts'
import { ShownText } from '../value-cell.tsx'
import { conditionsOfGroup } from './group-conditions.ts'
import type { GroupOrder } from './group-order.ts'
import { GroupTableHead } from './group-table-head.tsx'
import { numberText } from './number-text.ts'
import { ShownTotal } from './shown-total.tsx'
import { functionsOfGroups } from './total-functions.ts'
import classes from './totals.module.css'
import type { GroupTotals } from './totals.ts'
import type { GroupTerm } from './totals-choice.ts'

interface GroupTableProps {
  /** For screen readers. */
  readonly label: string
  readonly table: ReadTable
  readonly view: TableView
  readonly by: readonly GroupTerm[]
  readonly groups: readonly GroupTotals[]
  readonly order: GroupOrder
  readonly onOrder: (order: GroupOrder) => void
}

/** Groups of rows: their keys, how many rows they have, and what is computed of the chosen columns. */
export function GroupTable({ label, table, view, by, groups, order, onOrder }: GroupTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={0}
      maxHeight="28rem"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}
    >
      <Table aria-label={label} w="auto" verticalSpacing={4} highlightOnHover stickyHeader>
        <GroupTableHead
          table={table}
          by={by}
          columns={groups[0]?.columns ?? []}
          order={order}
          onOrder={onOrder}
        />
        <Table.Tbody>
          {groups.map((group) => (
            <GroupRow key={JSON.stringify(group.keys)} table={table} view={view} by={by} group={group} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface GroupRowProps extends Pick<GroupTableProps, 'table' | 'view' | 'by'> {
  readonly group: GroupTotals
}

function GroupRow({ table, view, by, group: { keys, count, columns } }: GroupRowProps) {
  const { t, i18n } = useTranslation('totals')
  const [first, ...others] = by
  const conditions = conditionsOfGroup(by, keys)
  const shownCount = numberText(count, i18n.language)
  return (
    <Table.Tr>
      {first === undefined ? null : (
        <Table.Th scope="row" fw={500} className={classes.key}>
          <ShownKey term={first} value={keys[first.field]} fields={table.fields} />
        </Table.Th>
      )}
      {others.map((term) => (
        <Table.Td key={term.field} className={classes.key}>
          <ShownKey term={term} value={keys[term.field]} fields={table.fields} />
        </Table.Td>
      ))}
      <Table.Td className={classes.number}>
        {conditions === undefined ? (
          shownCount
        ) : (
          <Anchor
            component={Link}
            inherit
            to={pathOfView(table.name, {
              ...view,
              filters: JSON.stringify(documentOfFilters(view.filters, conditions)),
              place: { kind: 'start' },
            })}
          >
            {shownCount}
            <VisuallyHidden> {t('showRows')}</VisuallyHidden>
          </Anchor>
        )}
      </Table.Td>
      {columns.flatMap(({ field, values }) =>
        functionsOfGroups(field).map((fn) => (
          <Table.Td key={`${fn} ${field.name}`} className={classes.number}>
            <ShownTotal field={field} fn={fn} value={values[fn]} />
          </Table.Td>
        )),
      )}
    </Table.Tr>
  )
}

interface ShownKeyProps {
  readonly term: GroupTerm
  readonly value: unknown
  readonly fields: readonly Field[]
}

/** As much of a time as its unit says. */
const lengths = { HOUR: 16, DAY: 10, MONTH: 7, YEAR: 4 } as const

function ShownKey({ term: { field: name, every }, value, fields }: ShownKeyProps) {
  const field = fields.find((one) => one.name === name)
  if (every !== undefined && typeof value === 'string' && /^\d{4}-/.test(value))
    return <>{value.slice(0, lengths[every]).replace('T', ' ')}</>
  return <ShownText shown={showValue(value, field ?? { kind: 'string' })} />
}
