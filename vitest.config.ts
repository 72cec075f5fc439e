import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/find-requirements.ts',
    // They take minutes and measure: `npm run test:long`.
    exclude: [...configDefaults.exclude, 'test/long/**'],
    pool: 'forks',
    // They wait for servers more than they compute.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
