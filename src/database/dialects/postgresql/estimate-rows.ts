import type { Connection } from '../../driver.ts'
import { tableIdOf } from './introspect.ts'
import { arrayText } from './key-list.ts'

/** What `vacuum` and `analyze` have found: https://www.postgresql.org/docs/current/catalog-pg-class.html */
export async function estimatePostgresqlRows(
  connection: Connection,
  schemas: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sql =
    "select n.nspname, c.relname, c.reltuples::float8 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'm') and c.reltuples >= 0"
  const rows = await connection.query({ sql, parameters: [arrayText(schemas)] })
  return new Map(
    rows.map(([schema, name, count]) => [tableIdOf(String(schema), String(name), schemas), Number(count)]),
  )
}
