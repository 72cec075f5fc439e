import type { Migration } from './migration.ts'

/** All versions of entity definitions; existing definitions become the first versions. */
export const migration0008: Migration = {
  version: 8,
  statements: (ddl) => [
    ...ddl.createTables([
      {
        name: 'gatehouse_entity_version',
        columns: [
          { name: 'entity_name', type: 'string', nullable: false },
          { name: 'version', type: 'integer', nullable: false },
          { name: 'definition', type: 'text', nullable: true },
          { name: 'changed_by', type: 'string', nullable: false },
          { name: 'changed_at', type: 'string', nullable: false },
        ],
        primaryKey: ['entity_name', 'version'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
    {
      sql: 'insert into gatehouse_entity_version (entity_name, version, definition, changed_by, changed_at) select name, 1, definition, changed_by, changed_at from gatehouse_entity',
      parameters: [],
    },
  ],
}
