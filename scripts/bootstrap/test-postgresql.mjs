import { postgresqlBuilds } from './postgresql-builds.mjs'
import { startPostgresql } from './postgresql-server.mjs'
import { projectPath } from './project.mjs'
import { run, tool, wasInterrupted } from './run-command.mjs'

/**
 * `npm run test:postgresql -- 13 18 [files and flags of vitest]`: the tests that use a database, on new servers of these
 * versions of PostgreSQL, one after the other; on all versions where none is named. Gives the exit code.
 */
export async function testPostgresql(words) {
  const isVersion = (word) => /^\d+$/.test(word)
  const named = words.filter(isVersion)
  const versions = named.length > 0 ? named : Object.keys(postgresqlBuilds)
  const others = words.filter((word) => !isVersion(word))
  const results = []
  for (const version of versions) {
    const server = await startPostgresql(version)
    const env = { ...process.env, TEST_PRODUCTS: 'PostgreSQL', TEST_POSTGRESQL_PORT: String(server.port) }
    const flags = ['--config', projectPath('vitest.postgresql.config.ts'), ...reportOf(version, others)]
    const vitest = [tool('vitest'), 'run', '--root', projectPath('.'), ...flags]
    const code = await run(process.execPath, vitest, { env }).finally(() => server.stop())
    if (wasInterrupted(code)) return code
    results.push({ version, passed: code === 0 })
  }
  for (const { version, passed } of results) {
    console.error(`PostgreSQL ${version}: ${passed ? 'all tests passed' : 'tests failed'}.`)
  }
  return results.every(({ passed }) => passed) ? 0 : 1
}

/** Each version leaves its own report: `{version}` in a flag stands for it. */
function reportOf(version, flags) {
  return flags.map((flag) => flag.replaceAll('{version}', version))
}
