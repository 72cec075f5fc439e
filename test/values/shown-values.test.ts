/** What is shown of a value can be sent back: it finds its row, and changes nothing where it is written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { makeOddTables, type OddTable, rawValues } from '../support/odd-tables.ts'
import { oddColumns } from '../support/odd-values.ts'
import { products } from '../support/products.ts'
import { checkFilters } from '../support/shown-values.ts'
import { checkUnchanged } from '../support/unchanged-records.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const seed = Number(process.env.TEST_SEED ?? 1)
const rows = Number(process.env.TEST_ROWS ?? 8)

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let options: DatabaseOptions
  let tables: readonly OddTable[]

  const columns = oddColumns[product.name] ?? []
  const numbered = columns.map(({ type }, index) => [type, index] as const)
  const adoptable = numbered.filter(([, index]) => columns[index]?.unfit !== true)

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (prepared) => {
      options = prepared
      tables = await makeOddTables(product, prepared, { seed, rows })
    })
    const names = adoptable.map(([, index]) => tables[index]?.name)
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: names } })
    expect(adopted.status, JSON.stringify(adopted.body)).toBe(201)
  })
  afterAll(() => gateway.close())

  test.each(numbered)('%s: finds its row', async (_, index) => {
    const table = tables[index] as OddTable
    expect(await checkFilters(table, gateway.graphql)).toEqual([])
  })

  test.each(adoptable)('%s: changes nothing where it is written', async (_, index) => {
    const table = tables[index] as OddTable
    const before = await rawValues(product, options, table)
    expect(await checkUnchanged(table, gateway)).toEqual([])
    expect(await rawValues(product, options, table)).toEqual(before)
  })
})
