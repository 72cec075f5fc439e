/** What all runs of tests have in common. */
import { fileURLToPath } from 'node:url'

// Threads and processes that the tests start load the sources themselves. Compiled once for all of them, a database is
// opened in half the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url))

export const commonOptions = {
  globalSetup: 'test/support/find-requirements.ts',
  pool: 'forks',
  // Worker threads load the sources, and Node.js strips their types with WebAssembly. V8 may crash when it compiles the wrapper of an
  // import in one thread while another one ends (like https://github.com/nodejs/node/issues/64500): so it compiles none.
  execArgv: ['--wasm-wrapper-tiering-budget=1000000000'] as string[],
  // Modules hold no state, so that one process loads them for all of its files.
  isolate: false,
  // What is waited for comes soon, or late on a busy machine.
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 240_000,
  hookTimeout: 240_000,
} as const

/** Tests that run with more cases in `npm run test:long`. `TEST_CASES` says how many of those that are random. */
export const testsWithMoreCases = [
  'src/access/authorization/path-pattern.property.test.ts',
  'src/graphql/model/name-fields.property.test.ts',
  'src/graphql/planning/check-merging.test.ts',
  'src/rest/long-lists.test.ts',
  'test/graphql/evaluator.property.test.ts',
  'test/graphql/mutations.property.test.ts',
  'src/entity/upload/crash.test.ts',
  'src/entity/upload/evolution.test.ts',
  'test/front/pages.test.ts',
  'test/front/passkeys.test.ts',
  'test/front/session-matrix.test.ts',
  'test/graphql/cursor-walks.test.ts',
  'test/graphql/identical-answers.test.ts',
  'test/journeys/changed-types.test.ts',
  'test/journeys/docs-page.test.ts',
  'test/journeys/graphiql-page.test.ts',
  'test/journeys/keys-of-any-type.test.ts',
  'test/journeys/page-logon-proofs.test.ts',
  'test/journeys/up.test.ts',
  'test/security/last-administrator.test.ts',
  'test/security/foreign-leaks.test.ts',
  'test/security/leaks.test.ts',
  'test/security/record-rights.property.test.ts',
  'test/security/taken-away.test.ts',
  'test/sweep/sweep.test.ts',
  'test/values/shown-values.test.ts',
  'test/values/walked-values.test.ts',
]
