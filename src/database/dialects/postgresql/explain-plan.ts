import type { Connection, Statement } from '../../driver.ts'

/** https://www.postgresql.org/docs/current/sql-explain.html */
export async function explainPostgresqlPlan(
  connection: Connection,
  { sql, parameters }: Statement,
): Promise<readonly string[]> {
  const rows = await connection.query({ sql: `explain ${sql}`, parameters })
  return rows.map(([line]) => String(line))
}
