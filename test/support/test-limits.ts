import type { DriverLimits } from '../../src/database/driver.ts'

/** Far more than a test takes, on a busy machine, too. */
export const testLimits: DriverLimits = { statementTimeoutMs: 60_000, waitMs: 60_000 }
