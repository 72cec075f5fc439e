import { existsSync } from 'node:fs'
import type { DatabaseConfig } from '../config/database-options.ts'
import type { GatewayConfig } from '../config/gateway-options.ts'
import type { Database } from '../database/dialect.ts'
import { openDatabase } from '../database/open-database.ts'
import { type DatabasePurpose, UnusableDatabase, usable } from '../database/unusable-database.ts'
import { createRoleStore } from '../store/role-store.ts'
import { createStatements } from '../store/statements.ts'
import { type ConnectTarget, TargetFailed } from './connect-target.ts'
import { type Databases, databaseFailure, placeOf } from './database-failure.ts'
import { databaseSettings } from './database-settings.ts'
import { databasesOf } from './gateway-settings.ts'
import { issuerRoles, issuerTargets } from './issuer-targets.ts'

/** What a gateway connects to: its databases, the Redis server of its notices, and its token issuers. */
export function gatewayTargets(config: GatewayConfig): readonly ConnectTarget[] {
  const { database, store } = databasesOf(config)
  const { notices_url: notices } = config
  return [
    databaseTarget(config),
    ...(store === undefined
      ? []
      : [{ name: 'store', attempt: () => inDatabase({ database, store }, 'store', async () => '') }]),
    ...(notices === undefined ? [] : [{ name: 'notices', attempt: () => reachRedis(notices) }]),
    ...issuerTargets(config),
    ...roleTargets(config, issuerRoles(config)),
  ]
}

/** The client is loaded only where there is a server: loading it is a tenth of a start. */
async function reachRedis(url: string): Promise<string> {
  const { askRedis } = await import('../database/redis-notices.ts')
  await askRedis(url)
  return new URL(url).host
}

/** The database whose tables are served. */
export function databaseTarget(config: DatabaseConfig): ConnectTarget {
  const databases = { database: databaseSettings(config) }
  return { name: 'database', attempt: () => inDatabase(databases, 'tables', countTables) }
}

/** The roles of a gateway that is not running, by name; throws if the store cannot be read. */
export function roleTargets(
  config: GatewayConfig,
  named: readonly { readonly key: string; readonly role: string }[],
): readonly ConnectTarget[] {
  const databases = databasesOf(config)
  return named.map(({ key, role }) => ({
    name: key,
    attempt: () =>
      inDatabase(databases, 'store', async ({ dialect, driver }) => {
        const roles = createRoleStore(createStatements(dialect.syntax))
        const found = await driver.read((connection) => roles.find(connection, role)).catch(() => undefined)
        if (found === undefined) throw new TargetFailed(missingRole(role))
        return `role “${role}”`
      }),
  }))
}

/** A role that a configuration names and the gateway does not have. */
export function missingRole(role: string): string {
  return `The gateway has no role “${role}”. Create it with “gatehouse role create”, or name another.`
}

async function countTables({ dialect, driver }: Database): Promise<string> {
  const { tables } = await driver.read((connection) => dialect.introspect(connection))
  return tables.size === 1 ? ', 1 table' : `, ${tables.size} tables`
}

/** Opens a database, which is not created. */
async function inDatabase(
  databases: Databases,
  purpose: DatabasePurpose,
  look: (database: Database) => Promise<string>,
): Promise<string> {
  const { database: ofTables, store = ofTables } = databases
  const { createsDatabase, noticesUrl: _, ...options } = purpose === 'store' ? store : ofTables
  if (options.product === 'sqlite' && options.file !== ':memory:' && !existsSync(options.file)) {
    return `${placeOf(options)} does not exist; the start creates it`
  }
  try {
    const database = await usable(purpose, openDatabase(options))
    try {
      return `${placeOf(options)}${await look(database)}`
    } finally {
      await database.driver.close()
    }
  } catch (error) {
    if (createsDatabase && isAbsent(error)) return `${placeOf(options)} does not exist; the start creates it`
    const failure = databaseFailure(error, databases)
    throw failure === undefined ? error : new TargetFailed(failure)
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof UnusableDatabase && error.cause.accessFailure === 'unknownDatabase'
}
