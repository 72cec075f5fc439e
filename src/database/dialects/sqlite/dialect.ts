import type { Dialect } from '../../dialect.ts'
import { readSqliteCatalog } from './catalog.ts'
import { sqliteCatalogMark } from './catalog-mark.ts'
import { sqliteDdl } from './ddl.ts'
import { estimateSqliteRows } from './estimate-rows.ts'
import { explainSqlitePlan } from './explain-plan.ts'
import { introspectSqlite } from './introspect.ts'
import { sqliteSyntax } from './syntax.ts'

export const sqliteDialect: Dialect = {
  product: 'sqlite',
  embedded: true,
  syntax: sqliteSyntax,
  ddl: sqliteDdl,
  introspect: introspectSqlite,
  versionQuery: 'select sqlite_version()',
  estimateRows: estimateSqliteRows,
  explainPlan: explainSqlitePlan,
  lookAtCatalog: sqliteCatalogMark,
  readCatalog: readSqliteCatalog,
}
