import type { Migration } from './migration.ts'

/** Settings of roles besides their authorities; a role without settings has no row. */
export const migration0013: Migration = {
  version: 13,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_role_settings',
        columns: [
          { name: 'role_name', type: 'string', nullable: false },
          { name: 'settings', type: 'text', nullable: false },
        ],
        primaryKey: ['role_name'],
        uniqueKeys: [],
        foreignKeys: [
          { columns: ['role_name'], referencedTable: 'gatehouse_role', referencedColumns: ['name'] },
        ],
        indexes: [],
      },
    ]),
}
