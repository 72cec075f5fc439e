import type { DriverSettings } from '../../src/database/driver.ts'

/**
 * Far more than a test takes, on a busy machine, too. With `GATEHOUSE_DB_FAST_READS=false` tests run without what only makes reads
 * faster, as the programs that they start do.
 */
export const testLimits: DriverSettings = {
  statementTimeoutMs: 60_000,
  waitMs: 60_000,
  fastReads: process.env.GATEHOUSE_DB_FAST_READS !== 'false',
}
