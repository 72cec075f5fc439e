import type { Migration } from './migration.ts'

/** What the changes in the audit have changed. */
export const migration0018: Migration = {
  version: 18,
  statements: () => [{ sql: 'alter table gatehouse_audit add column changes text', parameters: [] }],
}
