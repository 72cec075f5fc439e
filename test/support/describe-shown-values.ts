import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { seed } from './fast-check.ts'
import { makeOddTables, type OddTable, rawValues } from './odd-tables.ts'
import { oddColumns } from './odd-values.ts'
import { partOf } from './part-of.ts'
import { products, type TestProduct } from './products.ts'
import { checkFilters } from './shown-values.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'
import { checkUnchanged } from './unchanged-records.ts'

/** Tests that what is shown of about so many values finds its rows, and changes nothing where it is written. */
export function describeShownValues(product: TestProduct, values: number): void {
  let gateway: TestGateway
  let options: DatabaseOptions
  let tables: readonly OddTable[]

  const columns = oddColumns[product.name] ?? []
  const all = columns.map(({ type }, index) => [type, index] as const)
  const numbered = partOf(all, 6, products.indexOf(product))
  const adoptable = numbered.filter(([, index]) => columns[index]?.unfit !== true)

  const rows = Math.ceil(values / columns.length)

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
}
