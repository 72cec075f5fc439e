import pg from 'pg'
import type { DriverLimits } from '../../driver.ts'
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
}

const connectTimeoutMs = 4000

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
    pipeline: true,
    application_name: 'gatehouse',
  }
}

/** Independent of how the server is configured: UTC, texts in the forms that are read, and the schemas. */
export function sessionSettings(schemas: readonly string[]): string {
  return [
    "set time zone 'UTC'",
    "set datestyle = 'ISO, YMD'",
    "set intervalstyle = 'postgres'",
    "set bytea_output = 'hex'",
    // Whatever is to change something says so.
    'set default_transaction_read_only = on',
    'set extra_float_digits = 1',
    'set standard_conforming_strings = on',
    'set statement_timeout = 0',
    `set search_path = ${schemas.map(standardSyntax.quoteIdentifier).join(', ')}`,
  ].join('; ')
}

/** A client whose connection gives rows as bytes to those who want them so. */
export class RowClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const { ssl, keepAlive } = config
    const connection = new RowConnection({ ssl, keepAlive } as pg.ConnectionConfig)
    super({ ...config, connection } as pg.ClientConfig)
  }
}
