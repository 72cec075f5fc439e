import type { Connection, Statement } from '../../driver.ts'

/**
 * As JSON, which MySQL and MariaDB both have: https://dev.mysql.com/doc/refman/8.4/en/explain.html,
 * https://mariadb.com/kb/en/explain-format-json/
 */
export async function explainMysqlPlan(
  connection: Connection,
  { sql, ...rest }: Statement,
): Promise<readonly string[]> {
  const rows = await connection.query({ ...rest, sql: `explain format=json ${sql.replace(rowLock, '')}` })
  return rows.flatMap(([text]) => String(text).split('\n'))
}

/** To explain a select by a key, the server reads the row, and would wait for its lock: the plan is the same without. */
const rowLock = / (?:for update|lock in share mode)$/
