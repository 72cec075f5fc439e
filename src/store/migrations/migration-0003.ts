import type { Migration } from './migration.ts'

/** One row whose number grows with every change that other nodes must hear of. */
export const migration0003: Migration = {
  version: 3,
  statements: (ddl) => [
    ...ddl.createTables([
      {
        name: 'gatehouse_change',
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'version', type: 'bigInteger', nullable: false },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
    { sql: 'insert into gatehouse_change (id, version) values (1, 0)', parameters: [] },
  ],
}
