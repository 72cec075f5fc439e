import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { databaseDescribed } from '../support/describe-database.ts'
import { fillKitchen } from '../support/kitchen.ts'
import { allCases, partOf } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, type SampleDatabase } from '../support/sample-database.ts'
import { describedDatabases } from './databases/index.ts'
import { makeDatabase } from './databases/make-database.ts'
import { sweepDatabase } from './sweep-database.ts'

// Thousands of queries each.
describe.each(products)('$name', { timeout: 600_000 }, (product) => {
  let kitchen: SampleDatabase
  /** With another start on each product. */
  const part = (every: number) => (allCases ? {} : { every, start: products.indexOf(product) })

  beforeAll(async () => {
    kitchen = await openSampleDatabase(product)
    await fillKitchen(kitchen, product.name)
  })
  afterAll(() => kitchen.close())

  test('a database of odd things answers as its rows say', async () => {
    const { failures, entities, queries } = await sweepDatabase(kitchen.database, part(48))
    expect(failures).toEqual([])
    expect(entities).toBeGreaterThan(45)
    expect(queries).toBeGreaterThan(allCases ? 5000 : 80)
  })

  // Each on one product at least; the one in three schemas on PostgreSQL, which alone has them.
  test.each(partOf(describedDatabases, 3, products.indexOf(product) + 2))(
    '$name answers as its rows say',
    async (described) => {
      const created = await makeDatabase(described, product)
      if (created === undefined) return
      const database = await openDatabase(created.options)
      try {
        const { failures, queries } = await sweepDatabase(database, part(24))
        expect(failures).toEqual([])
        expect(queries).toBeGreaterThan(allCases ? 500 : 15)
      } finally {
        await database.driver.close()
        await created.remove()
      }
    },
  )
})

const described = (process.env.TEST_SWEEP ?? '').split(/\s+/).filter((description) => description !== '')

describe.runIf(described.length > 0)('the databases of TEST_SWEEP', () => {
  test.each(described)('%s answers as its rows say', { timeout: 600_000 }, async (description) => {
    const database = await openDatabase(databaseDescribed(description))
    const start = performance.now()
    try {
      const { failures, entities, queries } = await sweepDatabase(database)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      console.info(`${entities} entities, ${queries} queries, ${seconds} s`)
      expect(failures).toEqual([])
    } finally {
      await database.driver.close()
    }
  })
})
