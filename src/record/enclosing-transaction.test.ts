import { expect, test } from 'vitest'
import { definition, field, temporaryEntities } from '../../test/support/temporary-entities.ts'
import { NeedsResult } from '../database/deferred-connection.ts'
import type { Connection } from '../database/driver.ts'
import { publishedEntities } from '../entity/publish/published-entities.ts'
import { preconditionOf } from '../http/etag.ts'
import { changeRecord } from './change-record.ts'
import { createRecords } from './create-records.ts'
import { type EnclosingTransaction, SentChange } from './enclosing-transaction.ts'
import { recordAt } from './record-address.ts'
import type { RecordRights } from './record-rights.ts'
import type { PublishedEntity } from './record-rules.ts'

const writesAll = { rows: undefined, fields: undefined, set: new Map() }
const conditional: RecordRights = {
  read: undefined,
  write: [writesAll],
  rowsOf: () => undefined,
  variables: () => ({}),
}

test.each([
  { rights: undefined, made: ['insert', 'update'] },
  // What it may write depends on rows, even if it may read them all.
  { rights: conditional, made: [] },
])('with conditions nothing is held back for the end of a transaction', async ({ rights, made }) => {
  const { database, store, upload } = await temporaryEntities()
  await upload(definition('Port', { local: [field('name', 'string')] }))
  const published = await database.driver.read(async (connection) =>
    publishedEntities(
      await store.entities.list(connection),
      await database.dialect.introspect(connection),
      { tableNamed: () => undefined, globalIdOf: () => undefined },
      database.dialect.ddl,
    ),
  )
  const found = published.get('ports')
  if (found === undefined) throw new Error('Port is published.')
  const entity: PublishedEntity = { ...found, table: { ...found.table, isPlain: true }, rights }
  const held: string[] = []
  const connection: Connection = {
    async execute({ sql }) {
      held.push(sql.split(' ')[0] ?? '')
      return 0
    },
    select: () => Promise.reject(new NeedsResult()),
    query: () => Promise.reject(new NeedsResult()),
  }
  const sent = new SentChange()
  const enclosing: EnclosingTransaction = {
    connection,
    isDeferred: true,
    keyChecks: 'byTable',
    sent,
    made: () => undefined,
  }
  const parts = { database, now: () => new Date(), uuid: () => 'u', nextInstance: () => 'i', enclosing }
  const origin = { xid: 'x', xname: 'y' }
  const precondition = preconditionOf({ ifMatch: undefined, ifNoneMatch: undefined })
  const change = { kind: 'merge', document: { name: 'b' }, precondition, origin } as const
  await createRecords(entity, { id: 'a' }, origin, parts, async ({ rows }) => rows()).catch(expectNeedsResult)
  await changeRecord(recordAt(entity, 'a'), change, parts, ({ text }) => text()).catch(expectNeedsResult)
  await sent.settled()
  expect(held).toEqual(made)
})

function expectNeedsResult(error: unknown): void {
  expect(error).toBeInstanceOf(NeedsResult)
}
