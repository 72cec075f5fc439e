import type { Migration } from './migration.ts'

/** How an API key begins, so that its owner recognises it. Earlier versions do not know the column. */
export const migration0016: Migration = {
  version: 16,
  statements: () => [{ sql: 'alter table gatehouse_api_key add column prefix varchar(16)', parameters: [] }],
}
