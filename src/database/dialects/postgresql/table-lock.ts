import { createHash } from 'node:crypto'
import type { TableLock } from '../../dialect.ts'

/** An advisory lock for one schema of the connected database; it ends at the latest with the transaction. */
export function postgresqlTableLock(schema: string): TableLock {
  const digest = createHash('sha256').update(`gatehouse.tables.${schema}`).digest()
  const [kind, key] = [digest.readInt32BE(0), digest.readInt32BE(4)]
  return {
    async take(connection) {
      const sql = 'select pg_try_advisory_xact_lock($1, $2)'
      const [row] = await connection.query({ sql, parameters: [kind, key] })
      return row?.[0] === 1
    },
    // A transaction-level lock cannot be released before the transaction ends.
    release: async () => undefined,
    async evict(connection) {
      // The numbers of the lock are shown as unsigned.
      const sql = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and classid = ($1::bigint & 4294967295)::oid and objid = ($2::bigint & 4294967295)::oid`
      await connection.query({ sql, parameters: [kind, key] })
    },
  }
}
