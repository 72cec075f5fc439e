import type { Migration } from './migration.ts'

/** The names that were given to the fields of foreign keys. */
export const migration0005: Migration = {
  version: 5,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_relation_name',
        columns: [
          { name: 'naming', type: 'string', nullable: false },
          { name: 'names', type: 'text', nullable: false },
        ],
        primaryKey: ['naming'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
}
