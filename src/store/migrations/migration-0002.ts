import type { Migration } from './migration.ts'

/** The upstream APIs that API routes lead to. */
export const migration0002: Migration = {
  version: 2,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_upstream',
        columns: [
          { name: 'route_name', type: 'string', nullable: false },
          { name: 'settings', type: 'text', nullable: false },
        ],
        primaryKey: ['route_name'],
        uniqueKeys: [],
        foreignKeys: [
          { columns: ['route_name'], referencedTable: 'gatehouse_api_route', referencedColumns: ['name'] },
        ],
        indexes: [],
      },
    ]),
}
