/** The gateway's databases: the tables it serves, and its own records. */
import { randomBytes } from 'node:crypto'
import { type Access, type AccessSettings, openAccess } from '../access/access.ts'
import type { ApiRoute } from '../access/authorization/api-route.ts'
import { nothingToCheck } from '../access/authorization/conditions-report.ts'
import type { CatalogMark } from '../database/catalog-mark.ts'
import type { Table } from '../database/database-schema.ts'
import type { Database } from '../database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts'
import { usable } from '../database/unusable-database.ts'
import type { SchemaSettings } from '../graphql/snapshot.ts'
import type { Observer } from '../observe/events.ts'
import type { TargetGuard } from '../proxy/target-guard.ts'
import type { ChangeVersions } from '../store/change-store.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import { refuseConfiguredNames, refuseOpening } from './check-chosen-names.ts'
import { readSettled } from './read-settled.ts'
import { checkConditions } from './rights/check-conditions.ts'
import { newGaps } from './rights/conditions-gaps.ts'
import { heldConditions } from './rights/held-conditions.ts'
import { type SchemaService, serveSchema } from './serve-schema.ts'
import { readServedSchema, type SchemaNames } from './served-schema.ts'

export interface RecordSettings extends AccessSettings {
  readonly database: DatabaseOptions
  /** The database of the gateway's own records; absent for the same one. */
  readonly store?: DatabaseOptions
  readonly now?: Clock
  readonly targetGuard: TargetGuard
  readonly graphql: SchemaSettings
  readonly observe: Observer
  /** Called with all API routes when they are read. */
  readonly apiRoutesRead: (routes: readonly ApiRoute[]) => void
}

export interface Records {
  readonly database: Database
  /** The database of the store; the same one if it is not separate. */
  readonly storeDatabase: Database
  readonly store: Store
  readonly access: Access
  readonly schema: SchemaService
  /** The clock of all parts. */
  readonly now: Clock
  /** The store's change versions before anything was read. */
  readonly versions: ChangeVersions
  /** Whether all databases respond. */
  answer(): Promise<boolean>
  close(): Promise<void>
}

/** Opens the databases and reads their contents. Releases everything if it fails. */
export async function openRecords(settings: RecordSettings): Promise<Records> {
  const opened: Database[] = []
  const open = async (options: DatabaseOptions) => {
    const database = await openDatabase(options, settings.observe)
    opened.push(database)
    return database
  }
  const close = async () => {
    await Promise.all(opened.map(({ driver }) => driver.close()))
  }
  try {
    const { observe, graphql, now = () => new Date() } = settings
    const database = await usable('tables', open(settings.database))
    const isSeparate = settings.store !== undefined
    const kept = settings.store === undefined ? database : await usable('store', open(settings.store))
    const store = await usable('store', openStore(kept, isSeparate))
    const versions = await store.read((connection) => store.changes.versions(connection))
    let served: SchemaService | undefined
    const access = await openAccess({
      ...settings,
      store,
      now,
      randomBytes,
      checkConditions: (conditioned) =>
        served === undefined
          ? nothingToCheck(conditioned)
          : checkConditions(conditioned, { served: served.current(), dialect: database.dialect }),
    })
    let isStarted = false
    const checkNames = (names: SchemaNames) => {
      if (!isStarted) refuseConfiguredNames(names.model)
      return refuseOpening(names, access, store)
    }
    const read = async () => {
      const source = {
        read: () => readServedSchema(database, store, graphql, checkNames),
        answers: (table: Table) => tableAnswers(table, database),
      }
      const reading = await readSettled(source, served?.current())
      const gaps = served ? await newGaps(heldConditions(access), served.current(), reading.served) : []
      for (const { conditioned, entity, reason } of gaps)
        observe({ kind: 'ConditionsUnfit', ...conditioned.owner, entity, reason })
      return reading
    }
    const look = (before?: CatalogMark) =>
      database.driver.read((connection) => database.dialect.lookAtCatalog(connection, before), {
        workload: 'records',
      })
    const tablesChanged = () => database.driver.tablesChanged?.()
    const schema = await usable('tables', serveSchema({ read, look, tablesChanged }, observe, now))
    refuseConfiguredNames(schema.current().snapshot.model)
    isStarted = true
    served = schema
    const answer = async () => (await Promise.all(opened.map(answers))).every(Boolean)
    return { database, storeDatabase: kept, store, access, schema, now, versions, answer, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether a table can be read: a statement on it waits for those that replace it. */
async function tableAnswers(table: Table, { driver, dialect }: Database): Promise<boolean> {
  const sql = `select 1 from ${dialect.syntax.quoteTable(table)} where 1 = 0`
  const statement = { sql, parameters: [], mayFail: true } as const
  try {
    await driver.read((connection) => connection.query(statement), { workload: 'records' })
    return true
  } catch {
    return false
  }
}

async function answers({ driver }: Database): Promise<boolean> {
  const rows = await driver.read((connection) => connection.query({ sql: 'select 1', parameters: [] }), {
    workload: 'records',
  })
  return rows.length === 1
}
