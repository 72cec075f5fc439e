import type { Migration } from './migration.ts'

/** Disabled accounts. */
export const migration0012: Migration = {
  version: 12,
  statements: () => [
    {
      sql: 'alter table gatehouse_account add column disabled integer not null default 0',
      parameters: [],
    },
  ],
}
