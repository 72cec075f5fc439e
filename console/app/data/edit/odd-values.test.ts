/** What forms make of records with odd values: nothing of a value is lost between a record and its form. */
import { expect, test } from 'vitest'
import { fillKitchen } from '../../../../test/support/kitchen.ts'
import { anyProduct } from '../../../../test/support/products.ts'
import { openSampleDatabase } from '../../../../test/support/sample-database.ts'
import { startTestGateway } from '../../../../test/support/test-gateway.ts'
import { apiPathOf } from '../record-address.ts'
import type { ListedTable, Table } from '../tables.ts'
import { changeCall } from './change-call.ts'
import { draftOf, isEntered, readDraft } from './record-draft.ts'
import { type RecordValues, writableFields } from './stored-record.ts'

test.each(anyProduct('PostgreSQL'))(
  '$name: a form that nobody has touched changes nothing',
  {
    timeout: 120_000,
  },
  async (product) => {
    const created = await product.createDatabase()
    const sample = await openSampleDatabase({ ...product, createDatabase: async () => created })
    const gateway = await startTestGateway({
      createDatabase: async () => ({ options: created.options, remove: () => sample.close() }),
    })
    try {
      await fillKitchen(sample, product.name)
      await gateway.request('POST', '/manage/schema/reload')
      const all = (await gateway.request('GET', '/manage/tables?limit=1000')).body as readonly {
        readonly table: string
      }[]
      for (const { table } of all)
        await gateway.request('POST', '/manage/entities/adopt', { body: { tables: [table] } })
      const listed = (await gateway.request('GET', '/whoami/tables?limit=1000'))
        .body as readonly ListedTable[]
      let forms = 0
      for (const { name, api } of listed) {
        if (api === null) continue
        const table = (await gateway.request('GET', `/whoami/tables/${encodeURIComponent(name)}`))
          .body as Table
        const fields = writableFields(table)
        const { status, body } = await gateway.request('GET', `${api.path}?limit=50`)
        expect(status, name).toBe(200)
        for (const values of body as readonly RecordValues[]) {
          const named = Object.fromEntries(
            table.fields.map((field) => [field.name, values[field.api_name ?? '']]),
          )
          const stored = { path: apiPathOf(table, named) ?? '', values, etag: undefined }
          const read = readDraft(fields, draftOf(fields, stored), stored)
          expect(isEntered(read), name).toBe(false)
          expect((await gateway.request('GET', stored.path)).status, `${name} ${stored.path}`).toBe(200)
          const call = changeCall(stored, {}, fields, { PATCH: false, PUT: true })
          expect(call?.body).toEqual(
            Object.fromEntries(fields.map(({ api_name: own }) => [own, values[own]])),
          )
          forms += 1
        }
      }
      expect(forms).toBeGreaterThan(20)
    } finally {
      await gateway.close()
    }
  },
)
