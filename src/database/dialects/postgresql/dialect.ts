import type { Dialect } from '../../dialect.ts'
import { postgresqlDdl } from './ddl.ts'
import { introspectPostgresql } from './introspect.ts'
import { postgresqlSyntax } from './syntax.ts'

/** The dialect for the tables of some schemas, of which the first is the one that tables are made in. */
export function postgresqlDialect(schemas: readonly string[]): Dialect {
  return {
    product: 'postgresql',
    syntax: postgresqlSyntax,
    ddl: postgresqlDdl,
    introspect: (connection) => introspectPostgresql(connection, schemas),
  }
}
