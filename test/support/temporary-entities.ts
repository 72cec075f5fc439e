/** Entity definitions over a new database with a store. Gone when the test is done. */

import { onTestFinished } from 'vitest'
import type { Database } from '../../src/database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import type { Row } from '../../src/database/sql-value.ts'
import type { EntityParts, Uploader } from '../../src/entity/entity-parts.ts'
import type { ChangePlan } from '../../src/entity/plan/change-plan.ts'
import {
  applyEntityDefinitions,
  planEntityDefinitions,
} from '../../src/entity/upload/apply-entity-definitions.ts'
import { AppError, type Mistake } from '../../src/errors/app-error.ts'
import type { StoredEntity } from '../../src/store/entity-store.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { products, type TestProduct } from './products.ts'
import { prepareStore } from './store-template.ts'

export const uploader: Uploader = { account: 'admin', address: '192.0.2.1', requestId: 'r-1' }
export const timeOfTest = '2026-11-21T06:00:00.000Z'

interface UploadFlags {
  readonly allowDestructive: boolean
}

export interface TemporaryEntities {
  readonly database: Database
  /** For another connection to it. */
  readonly options: DatabaseOptions
  readonly store: Store
  readonly parts: EntityParts
  upload(document: unknown, flags?: UploadFlags): Promise<readonly StoredEntity[]>
  plan(document: unknown, flags?: UploadFlags): Promise<ChangePlan>
  query(sql: string): Promise<readonly Row[]>
  execute(sql: string): Promise<number>
  tableNames(): Promise<readonly string[]>
}

/** On its own database of a product, SQLite unless another one is given. */
export async function temporaryEntities(product = products[0]): Promise<TemporaryEntities> {
  if (product === undefined) throw new Error('SQLite is everywhere.')
  const opened = await openEntities(product)
  onTestFinished(opened.close)
  return opened
}

/** The same until it is closed. */
export async function openEntities(
  product: TestProduct,
): Promise<TemporaryEntities & { readonly close: () => Promise<void> }> {
  const created = await product.createDatabase({ withStore: true })
  await prepareStore(created.options)
  const database = await openDatabase(created.options)
  const store = await openStore(database)
  let ids = 0
  const nextId = () => {
    ids += 1
    return String(ids).padStart(4, '0')
  }
  const now = () => new Date(timeOfTest)
  const uuid = () => '3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10'
  const parts: EntityParts = { database, store, now, nextId, uuid, observe: () => {} }
  const { driver } = database
  return {
    database,
    options: created.options,
    store,
    parts,
    upload: (document, flags = safely) => applyEntityDefinitions({ document, ...flags }, uploader, parts),
    plan: (document, flags = safely) => planEntityDefinitions({ document, ...flags }, parts),
    query: (sql) => driver.read((connection) => connection.query({ sql, parameters: [] })),
    execute: (sql) => driver.transaction((connection) => connection.execute({ sql, parameters: [] })),
    tableNames: () =>
      driver.read(async (connection) => [...(await database.dialect.introspect(connection)).tables.keys()]),
    async close() {
      await driver.close()
      await created.remove()
    },
  }
}

/** The code and the mistakes of the error that something ends in. */
export async function refusalOf(
  work: Promise<unknown>,
): Promise<{ readonly code: string; readonly detail?: string; readonly mistakes: readonly Mistake[] }> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, detail, mistakes } = error
    return { code, mistakes, ...(detail === undefined ? {} : { detail }) }
  }
  throw new Error('It was not refused.')
}

const safely: UploadFlags = { allowDestructive: false }

export type Json = Readonly<Record<string, unknown>>

/** A definition in the shape that people upload, with only what a case is about. */
export function definition(
  name: string,
  parts: { local?: readonly Json[]; refs?: readonly Json[]; identifier?: Json; top?: Json } = {},
): Json {
  return {
    name,
    attributes: {
      identifier: { field_name: 'id', field_type: 'string', ...parts.identifier },
      local_fields: parts.local ?? [],
      ref_fields: parts.refs ?? [],
    },
    ...parts.top,
  }
}

/** A local field. */
export function field(name: string, type: string, more: Json = {}): Json {
  return { field_name: name, field_type: type, ...more }
}

/** A reference. */
export function reference(name: string, entity: string, target = 'id', more: Json = {}): Json {
  return { field_name: name, field_type: 'string', ref_class: entity, ref_class_field: target, ...more }
}
