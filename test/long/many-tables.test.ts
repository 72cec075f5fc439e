import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { makeDatabase } from '../sweep/databases/make-database.ts'
import { manyTables } from '../sweep/databases/many-tables.ts'
import { sweepDatabase } from '../sweep/sweep-database.ts'

describe.each(products)('$name', (product) => {
  test('a catalogue of 2,000 tables is served whole, and each hundredth table answers as its rows say', async () => {
    const created = await makeDatabase(manyTables(2000), product)
    if (created === undefined) throw new Error(`${product.name} is missing in the description`)
    const database = await openDatabase(created.options)
    try {
      const { failures, entities, queries } = await sweepDatabase(database, { every: 100 })
      expect(failures).toEqual([])
      expect(entities).toBe(2000)
      expect(queries).toBeGreaterThan(2000)
    } finally {
      await database.driver.close()
      await created.remove()
    }
  })
})
