import type { Migration } from './migration.ts'

/** Rate limits of accounts, and their counts. */
export const migration0014: Migration = {
  version: 14,
  statements: (ddl) => [
    { sql: 'alter table gatehouse_account add column limits varchar(255)', parameters: [] },
    ...ddl.createTables([
      {
        name: 'gatehouse_request_count',
        columns: [
          { name: 'account', type: 'string', nullable: false },
          { name: 'window_start', type: 'bigInteger', nullable: false },
          { name: 'used', type: 'bigInteger', nullable: false },
        ],
        primaryKey: ['account'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
  ],
}
