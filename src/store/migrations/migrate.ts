import { DatabaseError } from '../../database/database-error.ts'
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { parameter, sql } from '../../database/sql.ts'
import { AppError } from '../../errors/app-error.ts'
import { createStatements } from '../statements.ts'
import type { Migration } from './migration.ts'
import { migration0001 } from './migration-0001.ts'
import { migration0002 } from './migration-0002.ts'
import { migration0003 } from './migration-0003.ts'
import { migration0004 } from './migration-0004.ts'

/** Every step there is, in order. A step that was released is never changed; a new one is added. */
export const migrations: readonly Migration[] = [migration0001, migration0002, migration0003, migration0004]

/**
 * Brings the store's tables to the newest version, in one transaction. Each version is claimed by a row
 * before its tables are made: of two starts at once, one waits or fails on that row and then finds the
 * work done.
 */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<void> {
  try {
    await database.driver.transaction((connection) => applySteps(connection, database, steps), {
      unlimited: true,
    })
  } catch (error) {
    if (!(error instanceof DatabaseError && error.kind === 'uniqueViolation')) throw error
    await database.driver.transaction((connection) => applySteps(connection, database, steps), {
      unlimited: true,
    })
  }
}

async function applySteps(
  connection: Connection,
  { dialect }: Database,
  steps: readonly Migration[],
): Promise<void> {
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
      detail: `The database holds records of version ${present}, and this program knows versions up to ${newest}: a newer Gatehouse has used it. Start that one, or restore a backup made before.`,
    })
  }
  for (const step of steps.filter(({ version }) => version > present)) {
    await statements.execute(
      connection,
      sql`insert into gatehouse_migration (version) values (${parameter(step.version)})`,
    )
    for (const statement of step.statements(dialect.ddl)) await connection.execute(statement)
  }
}
