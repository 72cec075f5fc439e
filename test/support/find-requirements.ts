/**
 * Runs once, before the tests: looks for what they need and says in one line what cannot be tested without it. Behind them it
 * removes the databases that were kept for the next test.
 */

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chromiumPath } from './browser.ts'
import { absentVariable, type Requirement } from './machine.ts'
import { dropMysqlDatabases, onMysqlServer } from './mysql-databases.ts'
import { dropPostgresqlDatabases, onPostgresqlServer } from './postgresql-databases.ts'
import { connectToRedis } from './redis-server.ts'
import { runVariable } from './run-variable.ts'

/** Each throws, or rejects, with the reason when the machine lacks what it looks for. */
const probes: Readonly<Record<Requirement, () => unknown>> = {
  PostgreSQL: () => onPostgresqlServer('select 1'),
  MariaDB: () => onMysqlServer('select 1'),
  Redis: connectToRedis,
  Chromium: () => existsSync(chromiumPath) || fail(`not at ${chromiumPath}, TEST_CHROMIUM says where`),
  nginx: () => findCommand('nginx', '-v'),
  HAProxy: () => findCommand('haproxy', '-v'),
  PgBouncer: () => findCommand('pgbouncer', '--version'),
  Poppler: () => findCommand('pdftotext', '-v'),
}

/** Throws when something is absent and the environment says `CI=true`. */
export default async function findRequirements(): Promise<() => Promise<void>> {
  const names = Object.keys(probes) as Requirement[]
  const results = await Promise.all(names.map((name) => reasonAgainst(probes[name])))
  const absent = names.filter((_, index) => results[index] !== undefined)
  process.env[runVariable] = `gatehouse_test_${randomBytes(3).toString('hex')}`
  const dropDatabases = async () => {
    if (!absent.includes('PostgreSQL')) await dropPostgresqlDatabases()
    if (!absent.includes('MariaDB')) await dropMysqlDatabases()
  }
  if (absent.length === 0) return dropDatabases
  const list = names.flatMap((name, index) =>
    results[index] === undefined ? [] : `${name} (${results[index]})`,
  )
  const line = `Not tested, because this machine lacks it: ${list.join(', ')}.`
  if (process.env.CI === 'true') throw new Error(line)
  console.warn(line)
  process.env[absentVariable] = absent.join(',')
  return dropDatabases
}

async function reasonAgainst(probe: () => unknown): Promise<string | undefined> {
  try {
    await probe()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function findCommand(command: string, flag: string): void {
  if (spawnSync(command, [flag]).status !== 0) fail(`no command ${command}`)
}

function fail(reason: string): never {
  throw new Error(reason)
}
