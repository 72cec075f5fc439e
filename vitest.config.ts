import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/find-requirements.ts',
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
