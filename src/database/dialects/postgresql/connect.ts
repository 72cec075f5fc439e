import pg from 'pg'
import { groupLimits } from '../../batching/group-commit.ts'
import type { ServerDriverSettings } from '../../driver.ts'
import { serverLimitOf } from '../../server-limit.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { withConnection } from './pg-internals.ts'
import { RowConnection } from './wire-reader/row-connection.ts'

export interface PostgresqlDriverOptions extends ServerDriverSettings {
  /** The search path: the schemas whose tables are served. New tables are created in the first. */
  readonly schemas: readonly string[]
  /** Whether a connection pooler in transaction mode is in front of the server; `auto` detects it. */
  readonly pooler?: 'auto' | 'none' | 'transaction'
}

/** Time limit for connecting, and for each of the first statements, in milliseconds. */
export const connectTimeoutMs = 4000

/** The configuration of every connection to the server. */
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

/** How long a transaction may be idle, in milliseconds: slow readers of long lists get a minute. */
const idleInTransactionMs = 120_000

/** The settings that statements need, and when they are made. */
export interface Settings {
  /** Run once on a new connection; undefined behind a pooler, where connections are shared. */
  readonly ofConnection: string | undefined
  /** Run at the start of every transaction. */
  readonly ofTransaction: string | undefined
  /** Run when a connection comes to be used in another way. */
  readonly ofUse: Readonly<Record<ConnectionUse, string>>
}

/**
 * How a connection is used: in `usual`, statements outside of a transaction only read, and the program ends them before the server does.
 * In `atOnce` they write, and the server ends them: only it knows then whether they were committed. `grouped` is the same with the limits of
 * a group.
 */
export type ConnectionUse = 'usual' | 'atOnce' | 'grouped'

/** Independent of the server's configuration: UTC, the expected text formats, limits, and the schemas. */
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
  const [reading, writing] = ['on', 'off'].map((value) => `set default_transaction_read_only = ${value}`)
  const limited = (milliseconds: number) => `set statement_timeout = ${milliseconds}`
  const ofUse = {
    usual: `${reading}; ${limited(serverLimitOf(statementTimeoutMs))}; reset lock_timeout`,
    atOnce: `${writing}; ${limited(statementTimeoutMs)}; reset lock_timeout`,
    grouped: `${writing}; ${limited(groupLimits.statementMs)}; set lock_timeout = ${groupLimits.lockMs}`,
  }
  if (isPooled)
    return {
      ofUse,
      ofConnection: undefined,
      ofTransaction: settings.map((setting) => `set local ${setting}`).join('; '),
    }
  // Transactions that write have to request it, and each statement sees the newest state.
  const all = [
    ...settings,
    'default_transaction_read_only = on',
    "default_transaction_isolation = 'read committed'",
  ]
  return {
    ofUse,
    ofConnection: all.map((setting) => `set ${setting}`).join('; '),
    ofTransaction: undefined,
  }
}

/** A client whose connection can return rows as bytes. */
export class RowClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super(withConnection(config, (ofConnection) => new RowConnection(ofConnection)))
  }
}
