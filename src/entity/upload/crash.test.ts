/** An upload that loses its database at any one of its statements, and anyone who comes after it. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOn } from '../../../test/support/describe-on.ts'
import { allCases } from '../../../test/support/part-of.ts'
import { products, type TestProduct } from '../../../test/support/products.ts'
import { putRows, rowsOf } from '../../../test/support/table-rows.ts'
import {
  definition,
  field,
  reference,
  temporaryEntities,
  uploader,
} from '../../../test/support/temporary-entities.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { type DatabaseOptions, openDatabase } from '../../database/open-database.ts'
import { findDrift } from '../plan/find-drift.ts'
import { applyEntityDefinitions } from './apply-entity-definitions.ts'
import { finishUploads } from './finish-uploads.ts'

const before = [
  definition('Tenant', { local: [field('code', 'string', { field_unique: true })] }),
  definition('Port', {
    local: [field('name', 'text'), field('old', 'string')],
    refs: [reference('tenantId', 'Tenant')],
  }),
]
const after = [
  definition('Client', { local: [field('code', 'text')], top: { renamed_from: 'Tenant' } }),
  definition('Port', {
    local: [
      field('label', 'string', { renamed_from: 'name' }),
      field('open', 'boolean', { field_nullable: false, field_default: 'true' }),
    ],
    refs: [
      reference('clientId', 'Client', 'id', { renamed_from: 'tenantId' }),
      reference('cableId', 'Cable'),
    ],
  }),
  definition('Cable', { refs: [reference('portId', 'Port')] }),
]
const rows = { Tenant: [{ id: 't1', code: 'a' }], Port: [{ id: 'p1', name: 'x', old: 'o', tenantId: 't1' }] }

/** A database of which the connection is lost at a statement that changes something, and never comes back. */
function losing(database: Database, at: number): Database {
  let count = 0
  const lost = () => new DatabaseError('unavailable', 'The connection was lost.')
  const wrap = (connection: Connection): Connection => ({
    ...connection,
    query: (statement) => (count >= at ? Promise.reject(lost()) : connection.query(statement)),
    select: (statement) => (count >= at ? Promise.reject(lost()) : connection.select(statement)),
    execute: (statement) => {
      count += 1
      return count >= at ? Promise.reject(lost()) : connection.execute(statement)
    },
  })
  const driver = {
    ...database.driver,
    read: database.driver.read.bind(database.driver),
    stream: database.driver.stream.bind(database.driver),
    close: () => database.driver.close(),
    transaction: <Result>(work: (connection: Connection) => Promise<Result>, options = {}) =>
      database.driver.transaction((connection) => work(wrap(connection)), options),
  }
  return { ...database, driver }
}

async function prepared(product: TestProduct) {
  const entities = await temporaryEntities(product)
  await entities.upload(before)
  for (const [table, list] of Object.entries(rows)) await putRows(entities.database, table, list)
  return entities
}

async function another(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options)
  onTestFinished(() => database.driver.close())
  return database
}

describe.each(products)('$name', (product) => {
  test('H2 is completed or taken back by anyone who comes next, wherever it was cut off', async () => {
    const outcomes = new Set<string>()
    let entities = await prepared(product)
    let isWhole = false
    const step = allCases ? 1 : 6
    for (let at = 1 + (products.indexOf(product) % step); !isWhole; at += step) {
      const { parts, database } = entities
      const cut = await openDatabase(entities.options)
      const upload = { document: after, allowDestructive: true }
      await applyEntityDefinitions(upload, uploader, { ...parts, database: losing(cut, at) }).then(
        () => {
          isWhole = true
        },
        (error: unknown) => expect(error).toMatchObject({ kind: 'unavailable' }),
      )
      await cut.driver.close()

      const finisher = finishUploads(parts, async () => undefined)
      // The server may take a moment to notice that the connection with the lock has ended.
      const unfinished = () => parts.store.read((connection) => parts.store.uploads.unfinished(connection))
      await expect.poll(unfinished).toBeUndefined()
      await finisher.stop()
      expect(await findDrift(parts)).toEqual([])
      const names = await entities.tableNames()
      outcomes.add(names.join())
      if (names.includes('Client')) {
        expect(names).toEqual(['Cable', 'Client', 'Port'])
        expect(await rowsOf(database, 'Port')).toEqual([{ id: 'p1', label: 'x', open: 1, clientId: 't1' }])
        expect(await rowsOf(database, 'Client')).toEqual(rows.Tenant)
        if (!isWhole) entities = await prepared(product)
      } else {
        expect(isWhole).toBe(false)
        expect(names).toEqual(['Port', 'Tenant'])
        for (const [table, list] of Object.entries(rows)) expect(await rowsOf(database, table)).toEqual(list)
      }
    }
    expect([...outcomes].toSorted()).toEqual(['Cable,Client,Port', 'Port,Tenant'])
  }, 600_000)
})

describeOn(
  products.filter(({ name }) => name !== 'SQLite'),
  (product) => {
    test('an uploader that shows no life any more loses its connection, and cannot go on when it comes back', async () => {
      const entities = await temporaryEntities(product)
      const paused = await another(entities.options)
      const { tableLock } = paused.dialect
      const resume = Promise.withResolvers<void>()
      const taken = Promise.withResolvers<void>()
      const late = paused.driver.transaction(
        async (connection) => {
          expect(await tableLock?.take(connection)).toBe(true)
          taken.resolve()
          await resume.promise
          await connection.execute({ sql: 'create table late (id integer)', parameters: [] })
        },
        { unlimited: true },
      )
      const refused = expect(late).rejects.toMatchObject({ kind: 'unavailable' })
      await taken.promise
      const lease = { beatMs: 50, leaseMs: 300, waitMs: 60_000 }
      const upload = { document: definition('A'), allowDestructive: false }
      await applyEntityDefinitions(upload, uploader, { ...entities.parts, lease })
      resume.resolve()
      await refused
      expect(await entities.tableNames()).toEqual(['A'])
    })

    test('an upload waits for one that shows life, and is refused when that takes too long', async () => {
      const entities = await temporaryEntities(product)
      const busy = await another(entities.options)
      const end = Promise.withResolvers<void>()
      const taken = Promise.withResolvers<void>()
      const other = busy.driver.transaction(
        async (connection) => {
          await busy.dialect.tableLock?.take(connection)
          taken.resolve()
          await end.promise
          await busy.dialect.tableLock?.release(connection)
        },
        { unlimited: true },
      )
      await taken.promise
      const lease = { beatMs: 50, leaseMs: 60_000, waitMs: 300 }
      const upload = { document: definition('A'), allowDestructive: false }
      await expect(
        applyEntityDefinitions(upload, uploader, { ...entities.parts, lease }),
      ).rejects.toMatchObject({
        code: 'UPLOAD_UNDER_WAY',
      })
      end.resolve()
      await other
      await entities.upload(definition('A'))
      expect(await entities.tableNames()).toEqual(['A'])
    })
  },
)
