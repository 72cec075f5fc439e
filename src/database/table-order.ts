import type { Column, DatabaseSchema, Table } from './database-schema.ts'

/** Which tables sort alike on every product: those that uploads made, or all. */
export type SortOrder = 'native' | 'portable'

/**
 * The same schema with the sort order of its tables: those that uploads of entity definitions made, by their id, sort
 * alike on every product, and with `portable` all others, too.
 */
export function withSortOrder(
  schema: DatabaseSchema,
  ownTables: ReadonlySet<string>,
  sortOrder: SortOrder,
): DatabaseSchema {
  const sorted = (table: Table): Table => {
    const isOwn = ownTables.has(table.id)
    return isOwn || sortOrder === 'portable' ? withPortableOrder(table, isOwn) : table
  }
  return { ...schema, tables: new Map([...schema.tables].map(([id, table]) => [id, sorted(table)])) }
}

function withPortableOrder(table: Table, isOwn: boolean): Table {
  const columns = [...table.columns].map(([name, column]): [string, Column] => [
    name,
    portable(column, isOwn),
  ])
  const { rowNumber } = table
  const portableTable = { ...table, columns: new Map(columns) }
  return rowNumber === undefined || sortsApart(table)
    ? portableTable
    : { ...portableTable, rowNumber: alwaysRead(rowNumber) }
}

/** Whether different keys have different places in the portable order: values such as times may be stored in several forms. */
function sortsApart({ columns, primaryKey }: Table): boolean {
  return primaryKey.every((name) => ['string', 'integer', 'bigint'].includes(columns.get(name)?.type ?? ''))
}

function alwaysRead({ onlyWithout: _, ...rowNumber }: Column): Column {
  return rowNumber
}

function portable(column: Column, isOwn: boolean): Column {
  // In our own tables, stored values and shown values are the same on every product.
  const { storedApart, ...rest } = column
  return { ...rest, ...(storedApart && !isOwn && { storedApart }), portableOrder: true }
}
