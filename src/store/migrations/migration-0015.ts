import type { Migration } from './migration.ts'

/**
 * Marks databases that a version without stored names has served: their tables and fields keep the names that its rules
 * gave them.
 */
export const migration0015: Migration = {
  version: 15,
  statements: () => [
    {
      sql: `insert into gatehouse_relation_name (naming, names)
        select naming.name, '{}' from (select 'verbatim' as name union all select 'camel') naming
        where exists (select 1 from gatehouse_account)
        and not exists (select 1 from gatehouse_relation_name)
        and not exists (select 1 from gatehouse_given_names)`,
      parameters: [],
    },
  ],
}
