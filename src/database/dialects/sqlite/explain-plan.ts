import type { Connection, Statement } from '../../driver.ts'

/** https://www.sqlite.org/eqp.html */
export async function explainSqlitePlan(
  connection: Connection,
  { sql, ...rest }: Statement,
): Promise<readonly string[]> {
  const rows = await connection.query({ ...rest, sql: `explain query plan ${sql}` })
  const depths = new Map<unknown, number>([[0, 0]])
  return rows.map(([id, parent, , detail]) => {
    const depth = depths.get(parent) ?? 0
    depths.set(id, depth + 1)
    return `${'  '.repeat(depth)}${detail}`
  })
}
