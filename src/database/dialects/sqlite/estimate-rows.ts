import type { Connection } from '../../driver.ts'

/** What `analyze` has kept, if it has ever run: https://www.sqlite.org/fileformat2.html#the_sqlite_stat1_table */
export async function estimateSqliteRows(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const isThere = "select 1 from sqlite_master where type = 'table' and name = 'sqlite_stat1'"
  const [known] = await connection.query({ sql: isThere, parameters: [] })
  if (known === undefined) return new Map()
  const sql =
    "select tbl, max(cast(stat as integer)) from sqlite_stat1 where tbl not like 'sqlite\\_%' escape '\\' group by tbl"
  const rows = await connection.query({ sql, parameters: [] })
  return new Map(rows.map(([name, count]) => [String(name), Number(count)]))
}
