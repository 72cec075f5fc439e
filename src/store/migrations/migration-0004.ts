import type { Migration } from './migration.ts'

/** Recent failed logons. */
export const migration0004: Migration = {
  version: 4,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_logon_attempt',
        columns: [
          { name: 'id', type: 'string', nullable: false },
          { name: 'subject', type: 'string', nullable: false },
          { name: 'tried_at', type: 'string', nullable: false },
        ],
        primaryKey: ['id', 'subject'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [['subject', 'tried_at'], ['tried_at']],
      },
    ]),
}
