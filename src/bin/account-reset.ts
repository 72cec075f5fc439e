/**
 * `gatehouse account reset`: recovers access for a person who cannot log on any more, but has the data folder or the
 * database.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type ResetAccount, resetAccount } from '../access/administration/reset-account.ts'
import { AdminFailure } from '../admin/admin-failure.ts'
import { accountResetCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { namedOptionsOf } from '../config/options.ts'
import { quote } from '../config/quote.ts'
import { separateWords } from '../config/read-flags.ts'
import { gatewayConfigOf } from '../config/up-options.ts'
import { DatabaseError } from '../database/database-error.ts'
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts'
import { usable } from '../database/unusable-database.ts'
import { AppError } from '../errors/app-error.ts'
import { openStore } from '../store/store.ts'
import { type Verb, wrongWords } from './admin-command.ts'
import { type Invocation, sourcesOf } from './command.ts'
import { writeOutput, writeWarnings } from './command-output.ts'
import { confirm } from './confirm.ts'
import { databaseFailure } from './database-failure.ts'
import { gatewaySettings } from './gateway-settings.ts'

const taken = ['USERNAME']

/** `gatehouse account reset`; it calls no gateway, and works whether or not one is running. */
export const accountReset: Verb = {
  words: taken,
  about:
    'a new password and API key without logging on; --data_dir, --db_… and --store_url say where the data is, as for “up” and “gateway”; --role gives a role, and creates a missing account',
  options: accountResetCommandOptions,
  runWith,
}

async function runWith(name: string, invocation: Invocation): Promise<number> {
  const { plain, flags } = separateWords(invocation.words, namedOptionsOf(accountResetCommandOptions.groups))
  const [username] = plain
  if (username === undefined || plain.length !== taken.length) throw wrongWords(name, taken, plain.length)
  const { values, warnings } = loadConfig(accountResetCommandOptions, { ...sourcesOf(invocation), flags })
  writeWarnings(invocation, warnings)
  const settings = gatewaySettings(gatewayConfigOf(values), () => {})
  const { role, yes } = values.own
  await confirm(
    invocation,
    yes,
    async () =>
      `Give the account ${quote(username)} a new password and API key? Its tokens and its other API keys end.`,
  )
  const { createsDatabase: _, ...place } = settings.store ?? settings.database
  const made = await resetIn(place, { username, role }).catch((error: unknown) => {
    const failure = databaseFailure(error, settings)
    throw failure === undefined ? error : new AdminFailure([failure], error)
  })
  const json = { username: made.username, password: made.password, api_key: made.apiKey }
  return writeOutput(invocation, { json, text: shown(made) })
}

async function resetIn(
  options: DatabaseOptions,
  wanted: { readonly username: string; readonly role: string | undefined },
): Promise<ResetAccount> {
  if (options.product === 'sqlite' && !existsSync(options.file)) throw noRecords(quote(options.file))
  const database = await usable('store', openDatabase(options))
  try {
    await requireRecords(database, 'file' in options ? quote(options.file) : quote(options.name))
    const store = await openStore(database)
    return await resetAccount({ store, now: () => new Date(), randomBytes }, wanted)
  } finally {
    await database.driver.close()
  }
}

/** Creates nothing in a database that is not the gateway's. */
async function requireRecords(
  { driver }: Awaited<ReturnType<typeof openDatabase>>,
  name: string,
): Promise<void> {
  const statement = { sql: 'select max(version) from gatehouse_migration', parameters: [] }
  try {
    await driver.read((connection) => connection.query(statement))
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'schemaChanged') throw noRecords(name)
    throw error
  }
}

function noRecords(name: string): AppError {
  return new AppError('RECORD_NOT_FOUND', {
    detail: `There are no records of a gateway in ${name}. Say where they are with --data_dir, or --db_product and --db_name, or --store_url. The first start creates them, and an account.`,
  })
}

function shown({ username, password, apiKey }: ResetAccount): string {
  return [
    'Reset this account; keep it, it is not shown again. Its tokens, its other API keys and its second factor have ended.',
    '',
    `  username  ${username}`,
    `  password  ${password}`,
    `  API key   ${apiKey}`,
  ].join('\n')
}
