import type { Dialect } from '../../dialect.ts'
import type { Driver } from '../../driver.ts'
import { readMysqlCatalog } from './catalog.ts'
import { mysqlCatalogMark } from './catalog-mark.ts'
import { mysqlDdl } from './ddl.ts'
import { estimateMysqlRows } from './estimate-rows.ts'
import { explainMysqlPlan } from './explain-plan.ts'
import { introspectMysql } from './introspect.ts'
import { serverOf } from './server.ts'
import { mysqlSyntax } from './syntax.ts'
import { mysqlTableLock } from './table-lock.ts'

const versionQuery = 'select version()'

/** The dialect of the driver's server. */
export async function mysqlDialect(driver: Driver): Promise<Dialect> {
  const rows = await driver.read((connection) => connection.query({ sql: versionQuery, parameters: [] }))
  const server = serverOf(String(rows[0]?.[0]))
  return {
    product: 'mysql',
    syntax: mysqlSyntax(server),
    ddl: mysqlDdl(server),
    tableLock: mysqlTableLock,
    introspect: introspectMysql,
    versionQuery,
    estimateRows: estimateMysqlRows,
    explainPlan: explainMysqlPlan,
    explainsChangesInTransactions: true,
    lookAtCatalog: mysqlCatalogMark,
    readCatalog: readMysqlCatalog,
  }
}
