import { gatewayCommandOptions } from '../config/command-options.ts'
import { databaseNameOf } from '../config/database-options.ts'
import { describeSettings } from '../config/describe-settings.ts'
import { checkedGateway, loadChecked } from './checked-config.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { prepareDatabaseFile } from './data-files.ts'
import { isFile } from './database-settings.ts'

/** `gatehouse gateway`: the gateway on an existing database. */
export const gateway: Command = {
  usage: 'gateway --db_product PRODUCT [options]',
  about: `Runs the gateway on an existing database: REST and GraphQL APIs, accounts and roles.
The first start creates the account “admin” and shows its password and API key once.`,
  options: gatewayCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings, settings } = await loadChecked(checkedGateway, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const config = values.gateway
  const name = databaseNameOf(config)
  const prepareStorage = () => {
    if (config.store_url?.product === 'sqlite') prepareDatabaseFile(config.store_url.file)
    return isFile(config) ? prepareDatabaseFile(name) : 'found'
  }
  const { runGateway } = await import('./run-gateway.ts')
  const configuration = describeSettings(settings)
  const storage = `database ${name}`
  return runGateway({ config, configuration, storage, prepareStorage, portFlag: '--port' }, invocation)
}
