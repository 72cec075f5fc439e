import type { Connection } from '../../driver.ts'

/** The statistics of the storage engine: https://dev.mysql.com/doc/refman/8.4/en/information-schema-tables-table.html */
export async function estimateMysqlRows(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const sql =
    "select table_name, table_rows from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' and table_rows is not null"
  const rows = await connection.query({ sql, parameters: [] })
  return new Map(rows.map(([name, count]) => [String(name), Number(count)]))
}
