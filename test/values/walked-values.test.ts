/** Odd values in cursors and in GlobalIds: each row is met once in every order, there and back, and found by its id. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { makeOddTables, type OddTable } from '../support/odd-tables.ts'
import { oddColumns } from '../support/odd-values.ts'
import { partOf } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { checkGlobalIds, checkWalks, makeKeyTables } from '../support/walk-odd-tables.ts'

describe.each(products)('$name', (product) => {
  const types = (oddColumns[product.name] ?? []).map(({ type }, index) => [type, index] as const)

  const startWith = async <Tables>(make: (options: DatabaseOptions) => Promise<Tables>) => {
    let tables: Tables | undefined
    const gateway = await startTestGateway(product, async (options) => {
      tables = await make(options)
    })
    return { gateway, tables: tables as Tables }
  }

  describe('walks by cursors', () => {
    let gateway: TestGateway
    let tables: readonly OddTable[]
    beforeAll(async () => {
      ;({ gateway, tables } = await startWith((options) =>
        makeOddTables(product, options, { seed: 1, rows: 4 }),
      ))
    })
    afterAll(() => gateway.close())

    test.each(partOf(types, 6, products.indexOf(product) + 1))('%s', async (_, index) => {
      expect(await checkWalks(tables[index] as OddTable, gateway.graphql)).toEqual([])
    })
  })

  test('keys have GlobalIds that find their rows', async () => {
    const { gateway, tables } = await startWith((options) => makeKeyTables(product, options))
    try {
      const mistakes: string[] = []
      for (const table of partOf(tables, 3, products.indexOf(product)))
        mistakes.push(...(await checkGlobalIds(table, gateway.graphql)))
      expect(mistakes).toEqual([])
    } finally {
      await gateway.close()
    }
  })
})
