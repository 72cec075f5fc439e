import { upCommandOptions } from '../config/command-options.ts'
import { databaseNameOf } from '../config/database-options.ts'
import { describeSettings } from '../config/describe-settings.ts'
import { quote } from '../config/quote.ts'
import { gatewayConfigOf, type UpConfig } from '../config/up-options.ts'
import { AppError } from '../errors/app-error.ts'
import { checkedUp, loadChecked } from './checked-config.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { closeToOthers, type Presence, prepareDatabaseFile, prepareFolder } from './data-files.ts'
import { isFile } from './database-settings.ts'
import { withUsedPorts } from './used-ports.ts'

/** `gatehouse up`: gateway and web front in one process, with an embedded database. */
export const up: Command = {
  usage: 'up [options]',
  about: `Runs the gateway and the web front in one process, with an embedded database in the data folder. No option is needed.
The first start creates the account “admin” and shows its password and API key once.`,
  options: upCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings, settings } = await loadChecked(checkedUp, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const config = gatewayConfigOf(values)
  const { lockFolder } = await import('../database/dialects/sqlite/folder-lock.ts')
  let unlock: (() => void) | undefined
  const prepare = () => {
    const presence = prepareStorage(values, databaseNameOf(config))
    if (!isElsewhere(values)) unlock = lockFolder(values.up.data_dir) ?? refuse(values.up.data_dir)
    return presence
  }
  const storage = storageOf(values)
  const configuration = describeSettings(withUsedPorts(settings))
  try {
    if (values.up.web_front) {
      const { runUp } = await import('./run-up.ts')
      return await runUp({ values, configuration, storage, prepareStorage: prepare }, invocation)
    }
    const { runGateway } = await import('./run-gateway.ts')
    return await runGateway(
      { config, configuration, storage, prepareStorage: prepare, portFlag: '--gateway_port' },
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

/** Whether the data is not in the data folder. */
function isElsewhere({ gateway }: UpConfig): boolean {
  return gateway.db_name !== undefined || !isFile(gateway)
}

function storageOf(values: UpConfig): string {
  return isElsewhere(values)
    ? `database ${databaseNameOf(values.gateway)}`
    : `data folder ${values.up.data_dir}`
}

/** The data folder, unless the data is elsewhere. */
function prepareStorage(values: UpConfig, databaseFile: string): Presence {
  const { up, gateway } = values
  if (gateway.store_url?.product === 'sqlite') prepareDatabaseFile(gateway.store_url.file)
  if (isElsewhere(values)) return isFile(gateway) ? prepareDatabaseFile(databaseFile) : 'found'
  const presence = prepareFolder(up.data_dir)
  prepareDatabaseFile(databaseFile)
  closeToOthers(databaseFile)
  return presence
}
