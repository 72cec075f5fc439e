import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../../database/database-error.ts'
import type { Database, TableLock } from '../../database/dialect.ts'
import type { Connection, Statement } from '../../database/driver.ts'
import { parameter, sql } from '../../database/sql.ts'
import type { SqlValue } from '../../database/sql-value.ts'
import { AppError } from '../../errors/app-error.ts'
import { createStatements } from '../statements.ts'
import type { Migration } from './migration.ts'
import { migration0001 } from './migration-0001.ts'
import { migration0002 } from './migration-0002.ts'
import { migration0003 } from './migration-0003.ts'
import { migration0004 } from './migration-0004.ts'
import { migration0005 } from './migration-0005.ts'
import { migration0006 } from './migration-0006.ts'
import { migration0007 } from './migration-0007.ts'
import { migration0008 } from './migration-0008.ts'
import { migration0009 } from './migration-0009.ts'
import { migration0010 } from './migration-0010.ts'
import { migration0011 } from './migration-0011.ts'
import { migration0012 } from './migration-0012.ts'
import { migration0013 } from './migration-0013.ts'
import { migration0014 } from './migration-0014.ts'
import { migration0015 } from './migration-0015.ts'
import { migration0016 } from './migration-0016.ts'
import { migration0017 } from './migration-0017.ts'
import { migration0018 } from './migration-0018.ts'
import { migration0019 } from './migration-0019.ts'

/** All migrations, in order. A released one is never changed; new ones are added. */
export const migrations: readonly Migration[] = [
  migration0001,
  migration0002,
  migration0003,
  migration0004,
  migration0005,
  migration0006,
  migration0007,
  migration0008,
  migration0009,
  migration0010,
  migration0011,
  migration0012,
  migration0013,
  migration0014,
  migration0015,
  migration0016,
  migration0017,
  migration0018,
  migration0019,
]

/**
 * Migrates the store's tables to the newest version, in one transaction. Each version is claimed by a row before its
 * tables are created: of two concurrent starts, one waits or fails on that row and then finds the work done. If DDL is
 * not transactional, one start waits for the other, and continues wherever it was interrupted.
 */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<void> {
  const { ddl, tableLock } = database.dialect
  if (!ddl.transactional && tableLock !== undefined) return migrateInTurn(database, tableLock, steps)
  try {
    await migrateTogether(database, steps)
  } catch (error) {
    if (!(error instanceof DatabaseError && error.kind === 'uniqueViolation')) throw error
    await migrateTogether(database, steps)
  }
}

function migrateTogether(database: Database, steps: readonly Migration[]): Promise<void> {
  const { driver, dialect } = database
  const { execute } = createStatements(dialect.syntax)
  const work = async (connection: Connection) => {
    for (const { version, statements } of await missingSteps(connection, database, steps)) {
      await execute(connection, claim(version))
      for (const statement of statements(dialect.ddl)) await connection.execute(statement)
    }
  }
  return driver.transaction(work, { unlimited: true })
}

/** How long to wait for another start. */
const timeoutMs = 60_000

function migrateInTurn(database: Database, lock: TableLock, steps: readonly Migration[]): Promise<void> {
  const { driver, dialect } = database
  const { execute } = createStatements(dialect.syntax)
  const work = async (connection: Connection) => {
    if ((await missingSteps(connection, database, steps)).length === 0) return
    await takeTurn(connection, lock)
    try {
      // What was read before may be stale.
      await connection.execute({ sql: 'commit', parameters: [] })
      for (const { version, statements } of await missingSteps(connection, database, steps)) {
        for (const statement of statements(dialect.ddl)) await unlessDone(connection, statement)
        await execute(connection, claim(version))
        await connection.execute({ sql: 'commit', parameters: [] })
      }
    } finally {
      // A failed connection has lost the lock.
      await lock.release(connection).catch(() => undefined)
    }
  }
  return driver.transaction(work, { unlimited: true })
}

async function takeTurn(connection: Connection, lock: TableLock): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await lock.take(connection))) {
    if (performance.now() > end) {
      throw new DatabaseError('timedOut', 'Another program is migrating the tables of the store.')
    }
    await wait(100)
  }
}

/** Every statement is atomic: existing tables were created by an interrupted start. */
async function unlessDone(connection: Connection, statement: Statement): Promise<void> {
  const done = statement.sql.startsWith('insert ') ? 'uniqueViolation' : 'alreadyThere'
  try {
    await connection.execute(statement)
  } catch (error) {
    if (!(error instanceof DatabaseError && error.kind === done)) throw error
  }
}

function claim(version: number) {
  return sql<SqlValue>`insert into gatehouse_migration (version) values (${parameter(version)})`
}

async function missingSteps(
  connection: Connection,
  { dialect }: Database,
  steps: readonly Migration[],
): Promise<readonly Migration[]> {
  const statements = createStatements(dialect.syntax)
  await statements.execute(
    connection,
    sql`create table if not exists gatehouse_migration (version integer not null primary key)`,
  )
  const rows = await statements.query(connection, sql`select max(version) from gatehouse_migration`)
  const present = Number(rows[0]?.[0] ?? 0)
  const newest = steps.at(-1)?.version ?? 0
  if (present > newest) {
    throw new AppError('STORE_TOO_NEW', {
      detail: `The database holds records of version ${present}, and this program knows versions up to ${newest}: a newer Gatehouse has used it. Start that version, or restore an older backup.`,
    })
  }
  return steps.filter(({ version }) => version > present)
}
