/** Databases that stay while gateways on them come and go, and several gateways on one of them. */
import { afterEach, expect } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { SchemaSettings } from '../../src/graphql/snapshot.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import type { TestDatabase, TestProduct } from './products.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

export interface KeptDatabases {
  create(product: TestProduct, schemas?: readonly string[]): Promise<TestDatabase>
  /** A gateway on a database; with the administrator's token of another one. */
  start(product: TestProduct, database: TestDatabase, others?: StartOptions): Promise<TestGateway>
  /** Ends what was started or created last. */
  closeLast(): Promise<void>
}

interface StartOptions {
  readonly known?: TestGateway | undefined
  /** Where the records are, when they are apart. */
  readonly store?: TestDatabase | undefined
  readonly graphql?: Partial<SchemaSettings>
}

/** Everything is given back after each test. */
export function keptDatabases(): KeptDatabases {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  return {
    async create(product, schemas) {
      const created = await product.createDatabase()
      closing.push(created.remove)
      return schemas === undefined
        ? created
        : { ...created, options: { ...created.options, schemas } as DatabaseOptions }
    },
    async start(product, { options }, { known, store, graphql } = {}) {
      const apart = store && { store: store.options }
      const settings: SchemaSettings = { limits: defaultOperationLimits, naming: 'verbatim', ...graphql }
      if (known === undefined) {
        const kept = { ...product, createDatabase: async () => ({ options, remove: async () => undefined }) }
        const gateway = await startTestGateway(kept, undefined, { ...apart, graphql: settings })
        closing.push(gateway.close)
        return gateway
      }
      const gateway = await startGateway({
        database: options,
        ...apart,
        waitsForDatabase: false,
        host: '127.0.0.1',
        port: 0,
        tokenTtlSeconds: 3600,
        bodyLimitBytes: 1_000_000,
        graphql: settings,
        passwordCost: cheapPasswords,
        bootstrap: {},
        observe: () => undefined,
      })
      closing.push(gateway.close)
      return known.at(gateway)
    },
    async closeLast() {
      await closing.pop()?.()
    },
  }
}

/** Runs statements as another program would. */
export async function run(options: DatabaseOptions, statements: readonly string[]): Promise<void> {
  const { driver } = await openDatabase(options)
  await driver.transaction(async (connection) => {
    for (const sql of statements) await connection.execute({ sql, parameters: [] })
  })
  await driver.close()
}

/** The definition of an entity that has only an identifier. */
export function plainEntity(name: string): Readonly<Record<string, unknown>> {
  return {
    name,
    persistence: true,
    api_generation: true,
    attributes: { identifier: { field_name: 'id', field_type: 'string' }, local_fields: [], ref_fields: [] },
  }
}

/** An upload has the schema read again. */
export async function reload(gateway: TestGateway): Promise<void> {
  uploads += 1
  const body = plainEntity(`Reload${uploads}`)
  const { status } = await gateway.request('POST', '/manage/entities', { body })
  expect(status).toBe(201)
}
let uploads = 0
