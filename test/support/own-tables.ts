import type { Column, ColumnType, DatabaseSchema, Table } from '../../src/database/database-schema.ts'
import { declaredTypes as mysqlTypes } from '../../src/database/dialects/mysql/types.ts'
import { nativeTypeOfSpec as postgresqlType } from '../../src/database/dialects/postgresql/types.ts'
import { declaredTypes as sqliteTypes } from '../../src/database/dialects/sqlite/types.ts'
import { withSortOrder } from '../../src/database/table-order.ts'
import type { SpecType, TableSpec } from '../../src/database/table-spec.ts'

const types: Readonly<Record<SpecType, ColumnType>> = {
  string: 'string',
  text: 'string',
  smallInteger: 'integer',
  integer: 'integer',
  bigInteger: 'bigint',
  float: 'float',
  decimal: 'decimal',
  dateTime: 'dateTime',
  date: 'date',
  jsonText: 'string',
}

/** What a column of ours is found to be, as far as statements depend on it. */
const nativeTypes = {
  SQLite: (type: SpecType) => sqliteTypes[type],
  PostgreSQL: postgresqlType,
  MariaDB: (type: SpecType) =>
    types[type] === 'string' ? `${mysqlTypes[type]} collate utf8mb4_nopad_bin` : mysqlTypes[type],
} as const

export type ProductName = keyof typeof nativeTypes

/** Tables of ours, and views of others without a key, as they are found on a product; without a server. */
export function ownTables(
  product: ProductName,
  tables: readonly TableSpec[],
  views: readonly TableSpec[] = [],
): DatabaseSchema {
  const found = [
    ...tables.map((spec) => tableOf(spec, 'table', product)),
    ...views.map((spec) => tableOf(spec, 'view', product)),
  ]
  const schema = { tables: new Map(found.map((table) => [table.id, table])), leftOut: [] }
  return withSortOrder(schema, new Set(tables.map(({ name }) => name)), 'native')
}

function tableOf(spec: TableSpec, kind: Table['kind'], product: ProductName): Table {
  const { name, columns, primaryKey, uniqueKeys, foreignKeys } = spec
  const columnOf = ({ name, type, nullable }: TableSpec['columns'][number]): [string, Column] => [
    name,
    { name, type: types[type], nativeType: nativeTypes[product](type), nullable, hasDefault: false },
  ]
  const shape = { columns: new Map(columns.map(columnOf)), primaryKey, uniqueKeys, foreignKeys }
  return { id: name, name, kind, ...shape }
}
