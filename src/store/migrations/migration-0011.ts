import type { Migration } from './migration.ts'

/** The permanent GraphQL names of tables and relations. */
export const migration0011: Migration = {
  version: 11,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_given_names',
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'revision', type: 'integer', nullable: false },
          { name: 'names', type: 'text', nullable: false },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
}
