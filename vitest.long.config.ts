/** `npm run test:long`: tests that measure, or take minutes. One file at a time, so that none slows another. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: 'test/support/find-requirements.ts',
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
