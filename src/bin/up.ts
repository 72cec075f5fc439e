import { upCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { gatewayConfigOf, type UpConfig } from '../config/up-options.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { closeToOthers, type Presence, prepareDatabaseFile, prepareFolder } from './data-files.ts'
import { isFile } from './database-settings.ts'

/** `gatehouse up`: everything in one process, with a database of its own. */
export const up: Command = {
  usage: 'up [options]',
  about: `Runs everything in one process, with a database of its own in the data folder. No option is needed.
The first start makes the account “admin” and shows its password and API key once.`,
  options: upCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings } = loadConfig(upCommandOptions, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const config = gatewayConfigOf(values)
  const prepare = () => prepareStorage(values, config.db_name)
  const storage = storageOf(values)
  const { runGateway } = await import('./run-gateway.ts')
  return runGateway({ config, storage, prepareStorage: prepare, portFlag: '--gateway_port' }, invocation)
}

function storageOf({ up, gateway }: UpConfig): string {
  return gateway.db_name === undefined ? `data folder ${up.data_dir}` : `database ${gateway.db_name}`
}

/** The data folder, unless the data lies elsewhere. */
function prepareStorage({ up, gateway }: UpConfig, databaseFile: string): Presence {
  if (gateway.db_name !== undefined) {
    return isFile({ ...gateway, db_name: databaseFile }) ? prepareDatabaseFile(gateway.db_name) : 'found'
  }
  const presence = prepareFolder(up.data_dir)
  prepareDatabaseFile(databaseFile)
  closeToOthers(databaseFile)
  return presence
}
