/** Which values are edited in their cells, and how the grid shows them at once. */
import { notifyManager, type QueryClient } from '@tanstack/react-query'
import type { Row, RowPage } from '../rows.ts'
import { tableRights } from '../table-rights.ts'
import { type Field, rowsKey, type Table } from '../tables.ts'
import { inputKindOf } from './entered.ts'
import type { WritableField } from './stored-record.ts'

/** Whether the values of a field are written in a grid, as far as the roles say it for some record. */
export function isEditable(table: Pick<Table, 'api'>, field: Field): field is WritableField {
  const { PATCH, PUT } = tableRights(table)
  return (PATCH || PUT) && field.api_name !== undefined && !field.read_only && !field.immutable
}

/** Whether a value has no place in a cell while it is edited. */
export function needsDialog(field: Field, value: unknown): boolean {
  const isLong = typeof value === 'string' && (value.length > 200 || /[\r\n]/.test(value))
  return isLong || ['json', 'longText', 'bytes'].includes(inputKindOf(field))
}

/** Shows a value in the pages that were read, until they are read again. Resolves when their grids have been told. */
export function showInPages(
  client: QueryClient,
  table: Table,
  { id }: Row,
  { name }: WritableField,
  value: unknown,
): Promise<void> {
  client.setQueriesData<RowPage>({ queryKey: [...rowsKey(table.name), 'page'] }, (page) => {
    if (page === undefined) return page
    const rows = page.rows.map((row) =>
      row.id === id && id !== undefined ? { ...row, values: { ...row.values, [name]: value } } : row,
    )
    return { ...page, rows }
  })
  return new Promise((resolve) => notifyManager.schedule(resolve))
}
