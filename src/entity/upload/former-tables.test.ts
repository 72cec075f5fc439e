/** Tables as former versions made them, with the definitions that they kept. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryEntities, uploader } from '../../../test/support/temporary-entities.ts'
import { findDrift } from '../plan/find-drift.ts'
import { readUpload } from './read-upload.ts'

// biome-ignore lint/suspicious/noExplicitAny: definitions are JSON
type Json = any

const examples: readonly Json[] = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))

/** What was made on SQLite before dates and times were declared as texts. */
const formerTables = [
  `create table "Tenant" ("instance" TEXT not null, "xid" TEXT, "xname" TEXT, "id" TEXT, "createdAt" DATETIME, "deletedAt" DATETIME, primary key ("instance"), unique ("id"))`,
  `create table "Port" ("instance" TEXT not null, "xid" TEXT, "xname" TEXT, "id" TEXT, "name" TEXT not null, "isActivated" SMALLINT not null, "vlanRanges" TEXT not null, "portType" TEXT not null, "operationStatus" TEXT, "tenantId" TEXT, primary key ("instance"), unique ("id"), foreign key ("tenantId") references "Tenant" ("id"))`,
  `create index "Port_tenantId_instance_index" on "Port" ("tenantId", "instance")`,
  `insert into "Tenant" values ('i1', null, null, 't1', '2026-01-31 09:30:00.5', '2026-01-31 09:30:00'), ('i2', null, null, 't2', '2026-01-31T09:30:00+01:00', null)`,
]

async function formerEntities() {
  const entities = await temporaryEntities()
  const { database, store } = entities
  const { uploads } = await readUpload(examples, () => undefined)
  await database.driver.transaction(async (connection) => {
    for (const sql of formerTables) await connection.execute({ sql, parameters: [] })
    for (const { definition, json, resource } of uploads) {
      const changed = { changedBy: uploader.account, changedAt: '2026-01-31T09:30:00Z' }
      await store.entities.save(connection, { name: definition.name, definition: json, resource, ...changed })
    }
  })
  return entities
}

test('the same definitions upload again, and change nothing', async () => {
  const { plan, upload, parts } = await formerEntities()
  const { entities, problems } = await plan(examples)
  expect(problems).toEqual([])
  expect(entities.map(({ steps, drift }) => [steps.map(({ kind }) => kind), drift])).toEqual([
    [['none'], []],
    [['none'], []],
  ])
  expect(await upload(examples)).toHaveLength(2)
  expect(await findDrift(parts)).toEqual([])
})

test('such a column becomes another one like any other', async () => {
  const { upload, plan, query } = await formerEntities()
  const [tenant] = structuredClone(examples)
  tenant.attributes.local_fields[1].field_type = 'Date'
  const { problems } = await plan(tenant)
  expect(problems.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^1 row holds a value that Date takes only a part of/),
  ])
  await upload(tenant, { allowDestructive: true })
  expect(await query('select "id", "deletedAt", "createdAt" from "Tenant" order by "id"')).toEqual([
    ['t1', '2026-01-31', '2026-01-31 09:30:00.5'],
    ['t2', null, '2026-01-31T09:30:00+01:00'],
  ])
})
