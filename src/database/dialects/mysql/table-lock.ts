import type { TableLock } from '../../dialect.ts'

/**
 * A named lock, which a session keeps across commits until it ends. Names are global to the server, so they contain the
 * database.
 */
const lockName = "concat('gatehouse.', left(sha2(database(), 256), 40))"

export const mysqlTableLock: TableLock = {
  async take(connection) {
    const [row] = await connection.query({ sql: `select get_lock(${lockName}, 0)`, parameters: [] })
    return Number(row?.[0]) === 1
  },
  async release(connection) {
    await connection.query({ sql: `select release_lock(${lockName})`, parameters: [] })
  },
  async evict(connection) {
    const [row] = await connection.query({ sql: `select is_used_lock(${lockName})`, parameters: [] })
    const session = row?.[0]
    if (session === null || session === undefined) return
    await connection.execute({ sql: `kill ${Number(session)}`, parameters: [] })
  },
}
