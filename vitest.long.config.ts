/**
 * `npm run test:long`: tests that measure, kill or fill what they run on, whole clients, journeys through the console, and
 * all cases of tests of which `npm test` runs a part. One file at a time, so that none slows another.
 */
import { defineConfig } from 'vitest/config'
import { commonOptions, testsWithMoreCases } from './vitest.common.ts'

process.env.TEST_CASES ??= '10000'

export default defineConfig({
  test: {
    ...commonOptions,
    include: ['test/long/**/*.test.ts', 'test/console/**/*.test.ts', ...testsWithMoreCases],
    isolate: true,
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
