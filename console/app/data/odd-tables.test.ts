/** What the console sends to show tables, for those of odd names, keys, references and types. */
import { describe, expect, test } from 'vitest'
import { fillKitchen } from '../../../test/support/kitchen.ts'
import { anyProduct } from '../../../test/support/products.ts'
import { openSampleDatabase } from '../../../test/support/sample-database.ts'
import { startTestGateway } from '../../../test/support/test-gateway.ts'
import { columnsOf } from './columns.ts'
import { rowsDocument } from './row-documents.ts'
import { showValue } from './show-value.ts'
import type { Table } from './tables.ts'
import { conditionsOf, wantedFor, wantedWhole } from './wanted.ts'

type Node = Readonly<Record<string, unknown>>
interface Answer {
  readonly errors?: readonly { readonly message: string }[]
  readonly data?: { readonly rows: { readonly edges: readonly { readonly node: Node }[] } }
}

const noChoice = { order: [], shown: {}, widths: {}, size: 50 }
const list = { filters: undefined, asc: [], desc: [], place: { kind: 'start' }, size: 20 } as const

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  test('every table is described, and its rows and their relations can be read', {
    timeout: 120_000,
  }, async () => {
    const created = await product.createDatabase()
    const own = { ...product, createDatabase: async () => created }
    const sample = await openSampleDatabase(own)
    const gateway = await startTestGateway({
      createDatabase: async () => ({ options: created.options, remove: () => sample.close() }),
    })
    try {
      await fillKitchen(sample, product.name)
      await gateway.request('POST', '/manage/schema/reload')
      const names = (await gateway.request('GET', '/whoami/tables?limit=1000')).body as readonly Table[]
      expect(names.length).toBeGreaterThan(45)
      for (const { name } of names) {
        const { status, body } = await gateway.request('GET', `/whoami/tables/${name}`)
        expect(status, name).toBe(200)
        const table = body as Table
        const all = columnsOf(table, noChoice).map(({ column }) => column)
        for (const wanted of [wantedFor(all, table), wantedWhole(table)]) {
          const { document, variables } = rowsDocument(table, wanted, list)
          const { errors, data } = (await gateway.graphql(document, variables)) as Answer
          expect(errors, name).toBeUndefined()
          for (const { node } of data?.rows.edges ?? []) {
            for (const field of table.fields) showValue(node[field.name], field)
          }
          await followRelations(table, data?.rows.edges[0]?.node)
        }
      }
    } finally {
      await gateway.close()
    }

    async function followRelations(table: Table, values: Node | undefined): Promise<void> {
      for (const relation of [...table.references, ...table.collections]) {
        const filters = values && conditionsOf(relation, { values })
        if (filters === undefined) continue
        const other = (await gateway.request('GET', `/whoami/tables/${relation.table}`)).body as Table
        const { document, variables } = rowsDocument(other, wantedWhole(other), { ...list, filters })
        const { errors } = (await gateway.graphql(document, variables)) as Answer
        expect(errors, `${table.name} ${relation.name}`).toBeUndefined()
      }
    }
  })
})
