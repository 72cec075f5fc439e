import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { databaseDescribed } from '../support/describe-database.ts'
import { sweepDatabase } from './sweep-database.ts'

const described = (process.env.TEST_SWEEP ?? '').split(/\s+/).filter((description) => description !== '')

describe.runIf(described.length > 0)('the databases of TEST_SWEEP', () => {
  test.each(described)('%s answers as its rows say', { timeout: 600_000 }, async (description) => {
    const database = await openDatabase(databaseDescribed(description))
    const start = performance.now()
    try {
      const { failures, entities, queries } = await sweepDatabase(database)
      console.info(
        `${description}: ${entities} entities, ${queries} queries, ${Math.round(performance.now() - start)} ms`,
      )
      expect(failures).toEqual([])
    } finally {
      await database.driver.close()
    }
  })
})
