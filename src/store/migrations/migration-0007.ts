import type { Migration } from './migration.ts'

/** Numbers for each kind of change, so that other nodes read again only what has changed; and a row that logons lock. */
export const migration0007: Migration = {
  version: 7,
  statements: () =>
    [2, 3, 4].map((id) => ({
      sql: `insert into gatehouse_change (id, version) values (${id}, 0)`,
      parameters: [],
    })),
}
