import type { Connection, Statement } from '../../driver.ts'

/**
 * As JSON, which MySQL and MariaDB both have: https://dev.mysql.com/doc/refman/8.4/en/explain.html,
 * https://mariadb.com/kb/en/explain-format-json/
 */
export async function explainMysqlPlan(
  connection: Connection,
  { sql, ...rest }: Statement,
): Promise<readonly string[]> {
  const rows = await connection.query({ ...rest, sql: `explain format=json ${sql.replace(rowLocks, '')}` })
  return rows.flatMap(([text]) => String(text).split('\n'))
}

/**
 * The ends of selects, also of those in parentheses. To explain one by a key, the server reads the row, and would wait for its lock: the
 * plan is the same without.
 */
const rowLocks = / (?:for update|lock in share mode)(?=\)|$)/g
