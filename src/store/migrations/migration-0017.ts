import type { Migration } from './migration.ts'

const toAccount = {
  columns: ['username'],
  referencedTable: 'gatehouse_account',
  referencedColumns: ['username'],
}

/** Second factors of accounts, and their recovery codes. */
export const migration0017: Migration = {
  version: 17,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_second_factor',
        columns: [
          { name: 'username', type: 'string', nullable: false },
          { name: 'secret', type: 'string', nullable: false },
          { name: 'active', type: 'integer', nullable: false },
          { name: 'created_at', type: 'string', nullable: false },
          { name: 'last_step', type: 'bigInteger', nullable: false },
          { name: 'failures', type: 'integer', nullable: false },
          { name: 'failed_at', type: 'string', nullable: false },
        ],
        primaryKey: ['username'],
        uniqueKeys: [],
        foreignKeys: [toAccount],
        indexes: [],
      },
      {
        name: 'gatehouse_recovery_code',
        columns: [
          { name: 'username', type: 'string', nullable: false },
          { name: 'code_hash', type: 'string', nullable: false },
        ],
        primaryKey: ['username', 'code_hash'],
        uniqueKeys: [],
        foreignKeys: [toAccount],
        indexes: [],
      },
    ]),
}
