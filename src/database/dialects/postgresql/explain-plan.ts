import type { Connection, Statement } from '../../driver.ts'

/** https://www.postgresql.org/docs/current/sql-explain.html */
export async function explainPostgresqlPlan(
  connection: Connection,
  { sql, ...rest }: Statement,
): Promise<readonly string[]> {
  const rows = await connection.query({ ...rest, sql: `explain ${sql}` })
  return rows.map(([line]) => String(line))
}
