import type { DatabaseAddress } from '../config/database-address.ts'
import { type DatabaseConfig, databaseNameOf, serverPorts } from '../config/database-options.ts'
import type { DatabaseOptions } from '../database/open-database.ts'

/** How to open the database of a configuration. On a server, only a database with the default name is created. */
export function databaseSettings(config: DatabaseConfig): DatabaseOptions {
  const { db_product: product } = config
  const name = databaseNameOf(config)
  const limits = {
    statementTimeoutMs: config.statement_timeout,
    waitMs: config.db_wait,
    fastReads: config.db_fast_reads,
  }
  if (product === 'sqlite')
    return { product, file: name, readConnections: config.read_connections, ...limits }
  const server = {
    host: config.db_host,
    port: config.db_port ?? serverPorts[product],
    user: config.db_user,
    ...(config.db_pass === undefined ? {} : { password: config.db_pass }),
    name,
    tls: config.db_tls,
    connections: config.db_connections,
    ...(config.db_name === undefined && { createsDatabase: true as const }),
    ...limits,
  }
  return product === 'postgresql'
    ? { product, schemas: config.db_schema, pooler: config.db_pooler, ...server }
    : { product, ...server }
}

/** Whether the database is a file on this machine. */
export function isFile({ db_product: product }: Pick<DatabaseConfig, 'db_product'>): boolean {
  return product === 'sqlite'
}

/** How to open the database of `store_url`, with the limits of the connected one. */
export function storeSettings(
  address: DatabaseAddress,
  { read_connections, db_connections, db_wait, statement_timeout, db_fast_reads }: DatabaseConfig,
): DatabaseOptions {
  const limits = { statementTimeoutMs: statement_timeout, waitMs: db_wait, fastReads: db_fast_reads }
  if (address.product === 'sqlite') return { ...address, readConnections: read_connections, ...limits }
  const { product, port, password, schema, pooler, ...rest } = address
  const server = {
    ...rest,
    port: port ?? serverPorts[product],
    ...(password === undefined ? {} : { password }),
    connections: db_connections,
    ...limits,
  }
  return product === 'postgresql' ? { product, schemas: [schema], pooler, ...server } : { product, ...server }
}
