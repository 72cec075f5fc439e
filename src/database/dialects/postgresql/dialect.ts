import type { Dialect } from '../../dialect.ts'
import { readPostgresqlCatalog } from './catalog.ts'
import { postgresqlCatalogMark } from './catalog-mark.ts'
import { postgresqlDdl } from './ddl.ts'
import { estimatePostgresqlRows } from './estimate-rows.ts'
import { explainPostgresqlPlan } from './explain-plan.ts'
import { introspectPostgresql } from './introspect.ts'
import { postgresqlSyntax } from './syntax.ts'
import { postgresqlTableLock } from './table-lock.ts'

/** The dialect for the tables of some schemas; tables are created in the first. */
export function postgresqlDialect(schemas: readonly string[]): Dialect {
  const [schema = 'public'] = schemas
  return {
    product: 'postgresql',
    syntax: postgresqlSyntax,
    ddl: postgresqlDdl,
    tableLock: postgresqlTableLock(schema),
    versionQuery: "select current_setting('server_version')",
    estimateRows: (connection) => estimatePostgresqlRows(connection, schemas),
    explainPlan: explainPostgresqlPlan,
    introspect: (connection) => introspectPostgresql(connection, schemas),
    lookAtCatalog: (connection) => postgresqlCatalogMark(connection, schemas),
    readCatalog: (connection) => readPostgresqlCatalog(connection, schema),
  }
}
