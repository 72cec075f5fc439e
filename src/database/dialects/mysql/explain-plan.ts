import type { Connection, Statement } from '../../driver.ts'

/**
 * As JSON, which MySQL and MariaDB both have: https://dev.mysql.com/doc/refman/8.4/en/explain.html,
 * https://mariadb.com/kb/en/explain-format-json/
 */
export async function explainMysqlPlan(
  connection: Connection,
  { sql, parameters }: Statement,
): Promise<readonly string[]> {
  const rows = await connection.query({ sql: `explain format=json ${sql}`, parameters })
  return rows.flatMap(([text]) => String(text).split('\n'))
}
