import { upCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { quote } from '../config/quote.ts'
import { gatewayConfigOf, type UpConfig } from '../config/up-options.ts'
import { AppError } from '../errors/app-error.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { closeToOthers, type Presence, prepareDatabaseFile, prepareFolder } from './data-files.ts'
import { isFile } from './database-settings.ts'
import { checkFrontBeside } from './front-beside.ts'

/** `gatehouse up`: gateway and web front in one process, with an embedded database. */
export const up: Command = {
  usage: 'up [options]',
  about: `Runs the gateway and the web front in one process, with an embedded database in the data folder. No option is needed.
The first start creates the account “admin” and shows its password and API key once.`,
  options: upCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings } = loadConfig(upCommandOptions, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const config = gatewayConfigOf(values)
  if (values.up.web_front) checkFrontBeside(values)
  const { lockFolder } = await import('../database/dialects/sqlite/folder-lock.ts')
  let unlock: (() => void) | undefined
  const prepare = () => {
    const presence = prepareStorage(values, config.db_name)
    if (values.gateway.db_name === undefined)
      unlock = lockFolder(values.up.data_dir) ?? refuse(values.up.data_dir)
    return presence
  }
  const storage = storageOf(values)
  try {
    if (values.up.web_front) {
      const { runUp } = await import('./run-up.ts')
      return await runUp({ values, storage, prepareStorage: prepare }, invocation)
    }
    const { runGateway } = await import('./run-gateway.ts')
    return await runGateway(
      { config, storage, prepareStorage: prepare, portFlag: '--gateway_port' },
      invocation,
    )
  } finally {
    unlock?.()
  }
}

/** Two processes on one folder would not notice each other's changes of accounts and entities. */
function refuse(folder: string): never {
  throw new AppError('FOLDER_IN_USE', {
    detail: `Another Gatehouse uses the data folder ${quote(folder)}. Stop it, or choose another folder with --data_dir.`,
  })
}

function storageOf({ up, gateway }: UpConfig): string {
  return gateway.db_name === undefined ? `data folder ${up.data_dir}` : `database ${gateway.db_name}`
}

/** The data folder, unless the data is elsewhere. */
function prepareStorage({ up, gateway }: UpConfig, databaseFile: string): Presence {
  if (gateway.db_name !== undefined) {
    return isFile({ ...gateway, db_name: databaseFile }) ? prepareDatabaseFile(gateway.db_name) : 'found'
  }
  const presence = prepareFolder(up.data_dir)
  prepareDatabaseFile(databaseFile)
  closeToOthers(databaseFile)
  return presence
}
