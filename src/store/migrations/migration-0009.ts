import type { Migration } from './migration.ts'

/** The calls with an idempotency key, and their responses. */
export const migration0009: Migration = {
  version: 9,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_idempotency',
        columns: [
          { name: 'id', type: 'string', nullable: false },
          { name: 'fingerprint', type: 'string', nullable: false },
          { name: 'attempt', type: 'string', nullable: false },
          { name: 'started_at', type: 'string', nullable: false },
          { name: 'expires_at', type: 'string', nullable: false },
          { name: 'answer', type: 'text', nullable: true },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [['expires_at']],
      },
    ]),
}
