import type { Migration } from './migration.ts'

/** Several API keys for an account, with names, expiry and last use. */
export const migration0006: Migration = {
  version: 6,
  statements: () =>
    [
      'alter table gatehouse_api_key add column expires_at varchar(255)',
      'alter table gatehouse_api_key add column last_used_at varchar(255)',
      'create unique index gatehouse_api_key_name on gatehouse_api_key (username, name)',
    ].map((sql) => ({ sql, parameters: [] })),
}
