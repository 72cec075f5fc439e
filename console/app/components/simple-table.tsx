import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

export interface SimpleColumn<Row> {
  /** Unique among the columns. */
  readonly key: string
  readonly title: string
  /** Whether only screen readers are told the title, as for a column of buttons. */
  readonly hasHiddenTitle?: boolean
  readonly show: (row: Row) => ReactNode
  /** Whether it names the row for screen readers; one column does. */
  readonly isHeading?: boolean
  /** Whether a narrow screen leaves it out. */
  readonly isExtra?: boolean
}

interface SimpleTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string
  readonly columns: readonly SimpleColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** A table of at most some hundred rows; a wide one scrolls in its own frame. */
export function SimpleTable<Row>({ label, columns, rows, keyOf }: SimpleTableProps<Row>) {
  const visibleFrom = ({ isExtra }: SimpleColumn<Row>) => (isExtra ? ({ visibleFrom: 'sm' } as const) : {})
  return (
    <Table.ScrollContainer
      minWidth={0}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}
    >
      <Table aria-label={label} verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} scope="col" {...visibleFrom(column)}>
                {column.hasHiddenTitle ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column) =>
                column.isHeading ? (
                  <Table.Th key={column.key} scope="row" fw={500} miw="5.5rem" {...visibleFrom(column)}>
                    {column.show(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={column.key} {...visibleFrom(column)}>
                    {column.show(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
