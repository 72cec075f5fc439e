import type { Connection } from '../../driver.ts'
import type { Row } from '../../sql-value.ts'
import type { CataloguedTable, TableCatalog } from '../../table-catalog.ts'

/** Reads the names of keys, indexes and references of the connected database, in two statements. */
export async function readMysqlCatalog(connection: Connection): Promise<TableCatalog> {
  const ask = (sql: string) => connection.query({ sql, parameters: [] })
  const indexes = await ask(
    'select table_name, index_name, column_name, non_unique, sub_part from information_schema.statistics where table_schema = database() order by table_name, index_name, seq_in_index',
  )
  const references = await ask(
    'select table_name, constraint_name, column_name, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema = database() and referenced_table_name is not null order by table_name, constraint_name, ordinal_position',
  )
  const tables = new Map<string, CataloguedTable>()
  const referencesOf = Map.groupBy(references, (row) => String(row[0]))
  for (const [table, rows] of Map.groupBy(indexes, (row) => String(row[0]))) {
    const keys = [...Map.groupBy(rows, (row) => String(row[1]))].map(([name, parts]) => ({
      name,
      isUnique: Number(parts[0]?.[3]) === 0,
      isWhole: parts.every((row) => row[2] !== null && row[4] === null),
      columns: parts.map((row) => String(row[2])),
    }))
    tables.set(table, {
      name: table,
      columns: [],
      primaryKey: keys.find(({ name }) => name === 'PRIMARY')?.columns ?? [],
      uniqueKeys: keys.filter(({ name, isUnique, isWhole }) => isUnique && isWhole && name !== 'PRIMARY'),
      indexes: keys.filter(({ isUnique, isWhole }) => !isUnique && isWhole),
      foreignKeys: [...Map.groupBy(referencesOf.get(table) ?? [], (row) => String(row[1]))].map(foreignKeyOf),
      others: [],
    })
  }
  const names = new Set([...indexes, ...references].map((row) => String(row[1])))
  return { tables, names }
}

function foreignKeyOf([name, parts]: readonly [string, readonly Row[]]) {
  return {
    name,
    columns: parts.map((row) => String(row[2])),
    referencedTable: String(parts[0]?.[3]),
    referencedColumns: parts.map((row) => String(row[4])),
  }
}
