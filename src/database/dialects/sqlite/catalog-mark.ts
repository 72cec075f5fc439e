import type { CatalogMark } from '../../catalog-mark.ts'
import type { Connection } from '../../driver.ts'

/** SQLite counts the changes of its schema: https://www.sqlite.org/pragma.html#pragma_schema_version */
export async function sqliteCatalogMark(connection: Connection): Promise<CatalogMark> {
  const [row] = await connection.query({ sql: 'pragma schema_version', parameters: [] })
  return { text: String(row?.[0]) }
}
