import { Table, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { labelOf } from '../field-label.ts'
import { ShownTotal } from './shown-total.tsx'
import { totalFunctions } from './total-functions.ts'
import classes from './totals.module.css'
import type { ColumnTotals } from './totals.ts'

interface ColumnTotalsTableProps {
  /** For screen readers. */
  readonly label: string
  readonly columns: readonly ColumnTotals[]
}

/** What is computed of some columns, side by side. */
export function ColumnTotalsTable({ label, columns }: ColumnTotalsTableProps) {
  const { t } = useTranslation('totals')
  const functions = totalFunctions.filter((fn) => columns.some(({ values }) => Object.hasOwn(values, fn)))
  return (
    <Table.ScrollContainer
      minWidth={0}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}
    >
      <Table aria-label={label} w="auto" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              <VisuallyHidden>{t('functions.title')}</VisuallyHidden>
            </Table.Th>
            {columns.map(({ field }) => (
              <Table.Th key={field.name} scope="col" className={classes.number}>
                {labelOf(field)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {functions.map((fn) => (
            <Table.Tr key={fn}>
              <Table.Th scope="row" fw={500}>
                {t(`functions.${fn}`)}
              </Table.Th>
              {columns.map(({ field, values }) => (
                <Table.Td key={field.name} className={classes.number}>
                  {Object.hasOwn(values, fn) ? <ShownTotal field={field} fn={fn} value={values[fn]} /> : null}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
