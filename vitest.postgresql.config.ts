/**
 * `npm run test:postgresql`: the tests in which statements of the gateway meet a database, on PostgreSQL alone. What they run
 * on depends on its version; what only uses a gateway, such as the web front and the proxies, is left to `npm test`.
 */
import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { commonOptions } from './vitest.common.ts'

const folders = 'src/{database,query,record,store,entity,rest,graphql}/**,test/{contracts,graphql,sweep}/**'
const journeys =
  'adopt*,database-*,entities,entity-history,filtered-values,idempotency,keys-*,list-queries,lists-*,refusals,relation-names,uploads-at-once'
const files = [
  ...globSync(`{${folders}}/*.test.ts`),
  ...globSync(`test/journeys/{${journeys}}.test.ts`),
  'test/security/races.test.ts',
]

/** What a test names that runs on every product, or on PostgreSQL. */
const overProducts = /support\/(?:products|describe-on)\.ts'/
const ofOthers = /dialects\/(?:mysql|sqlite)\/|redis/

export default defineConfig({
  test: {
    ...commonOptions,
    include: [...new Set(files)].filter(
      (file) => !ofOthers.test(file) && overProducts.test(readFileSync(file, 'utf8')),
    ),
  },
})
