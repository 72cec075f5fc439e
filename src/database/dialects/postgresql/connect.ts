import pg from 'pg'
import type { DriverLimits } from '../../driver.ts'
import { serverLimitOf } from '../../server-limit.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { RowConnection } from './row-connection.ts'

export interface PostgresqlDriverOptions extends DriverLimits {
  /** Name or address of the server, or the folder of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  /** Name of the database. */
  readonly name: string
  /** Names without a schema are looked for in these, and tables are made in the first. */
  readonly schemas: readonly string[]
  /** Whether the connection is encrypted and the server's certificate checked. */
  readonly tls: boolean
  /** How many connections may be open; at least three. */
  readonly connections: number
  /** Who reads rows that are passed on: `bytes` is our own reader, `values` the one of `pg`. */
  readonly rowReader?: 'bytes' | 'values'
  /** Whether a connection pooler in transaction mode is in front of the server; `auto` finds out. */
  readonly pooler?: 'auto' | 'none' | 'transaction'
}

/** How long the way to a connection may take, and the first statements on it, each, in milliseconds. */
export const connectTimeoutMs = 4000

/** What every connection to the server is made with. */
export function clientConfig({
  host,
  port,
  user,
  password,
  name,
  tls,
}: PostgresqlDriverOptions): pg.ClientConfig {
  return {
    host,
    port,
    user,
    ...(password === undefined ? {} : { password }),
    database: name,
    ...(tls ? { ssl: true } : {}),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    application_name: 'gatehouse',
  }
}

/** How long a transaction may stand open without a statement, in milliseconds: slow readers of long lists get a minute. */
const idleInTransactionMs = 120_000

/** What statements need to be set, and where. */
export interface Settings {
  /** Run once on a new connection; undefined behind a pooler, where others use the same connection in between. */
  readonly ofConnection: string | undefined
  /** Run at the begin of every transaction. */
  readonly ofTransaction: string | undefined
}

/** Independent of how the server is configured: UTC, texts in the forms that are read, limits, and the schemas. */
export function settingsOf(
  { schemas, statementTimeoutMs }: Pick<PostgresqlDriverOptions, 'schemas' | 'statementTimeoutMs'>,
  isPooled: boolean,
): Settings {
  const settings = [
    "time zone 'UTC'",
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    'standard_conforming_strings = on',
    `statement_timeout = ${serverLimitOf(statementTimeoutMs)}`,
    `idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    `search_path = ${schemas.map(standardSyntax.quoteIdentifier).join(', ')}`,
  ]
  if (isPooled)
    return {
      ofConnection: undefined,
      ofTransaction: settings.map((setting) => `set local ${setting}`).join('; '),
    }
  // Whatever is to change something says so.
  const all = [...settings, 'default_transaction_read_only = on']
  return { ofConnection: all.map((setting) => `set ${setting}`).join('; '), ofTransaction: undefined }
}

/** A client whose connection gives rows as bytes to those who want them so. */
export class RowClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const { ssl, keepAlive, keepAliveInitialDelayMillis } = config
    const connection = new RowConnection({
      ssl,
      keepAlive,
      keepAliveInitialDelayMillis,
    } as pg.ConnectionConfig)
    super({ ...config, connection } as pg.ClientConfig)
  }
}
