import { gatewayCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { prepareDatabaseFile } from './data-files.ts'
import { isFile } from './database-settings.ts'

/** `gatehouse gateway`: the gateway on an existing database. */
export const gateway: Command = {
  usage: 'gateway --db_product PRODUCT --db_name NAME [options]',
  about: `Runs the gateway on an existing database: REST and GraphQL APIs, accounts and roles.
The first start creates the account “admin” and shows its password and API key once.`,
  options: gatewayCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings } = loadConfig(gatewayCommandOptions, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const config = values.gateway
  const prepareStorage = () => {
    if (config.store_url?.product === 'sqlite') prepareDatabaseFile(config.store_url.file)
    return isFile(config) ? prepareDatabaseFile(config.db_name) : 'found'
  }
  const storage = `database ${config.db_name}`
  const { runGateway } = await import('./run-gateway.ts')
  return runGateway({ config, storage, prepareStorage, portFlag: '--port' }, invocation)
}
