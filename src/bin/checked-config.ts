/** The configurations of services, with everything checked that their starts would refuse. */
import {
  frontCommandOptions,
  gatewayCommandOptions,
  schemaCommandOptions,
  upCommandOptions,
} from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { type CommandOptions, type ConfigSources, type LoadedConfig, readConfig } from '../config/load.ts'
import type { ConfigsOf, OptionGroups } from '../config/options.ts'
import { gatewayConfigOf } from '../config/up-options.ts'
import type { ConnectTarget } from './connect-target.ts'

/** The options of a command, and what is wrong with their values together. */
export interface CheckedOptions<Groups extends OptionGroups = OptionGroups> {
  readonly options: CommandOptions<Groups>
  /** One line for each mistake. Nothing is opened or changed. */
  mistakesIn(values: ConfigsOf<Groups>): Promise<readonly string[]>
  /** What the command connects to. */
  targetsOf(values: ConfigsOf<Groups>): Promise<readonly ConnectTarget[]>
}

/** `gatehouse up` */
export const checkedUp: CheckedOptions<typeof upCommandOptions.groups> = {
  options: upCommandOptions,
  async mistakesIn(values) {
    const { gatewayMistakes } = await import('./gateway-mistakes.ts')
    const { mistakesOfFrontBeside } = await import('./front-beside.ts')
    return [
      ...gatewayMistakes(gatewayConfigOf(values), values.gateway.db_name ?? ':memory:'),
      ...(values.up.web_front ? await mistakesOfFrontBeside(values) : []),
    ]
  },
  async targetsOf(values) {
    const { gatewayTargets, roleTargets } = await import('./gateway-targets.ts')
    const { isGatewayBeside, targetsOfFrontBeside } = await import('./front-beside.ts')
    const { rolesNamedBy } = await import('./front-roles.ts')
    const config = gatewayConfigOf(values)
    if (!values.up.web_front) return gatewayTargets(config)
    return [
      ...gatewayTargets(config),
      ...targetsOfFrontBeside(values),
      ...(isGatewayBeside(values) ? roleTargets(config, rolesNamedBy(values.front)) : []),
    ]
  },
}

/** `gatehouse gateway` */
export const checkedGateway: CheckedOptions<typeof gatewayCommandOptions.groups> = {
  options: gatewayCommandOptions,
  async mistakesIn({ gateway }) {
    const { gatewayMistakes } = await import('./gateway-mistakes.ts')
    return gatewayMistakes(gateway)
  },
  async targetsOf({ gateway }) {
    const { gatewayTargets } = await import('./gateway-targets.ts')
    return gatewayTargets(gateway)
  },
}

/** `gatehouse front` */
export const checkedFront: CheckedOptions<typeof frontCommandOptions.groups> = {
  options: frontCommandOptions,
  async mistakesIn({ front }) {
    const { frontMistakes } = await import('./front-settings.ts')
    return frontMistakes(front)
  },
  async targetsOf({ front }) {
    const { frontTargets } = await import('./front-targets.ts')
    return frontTargets(front)
  },
}

/** `gatehouse schema` */
export const checkedSchema: CheckedOptions<typeof schemaCommandOptions.groups> = {
  options: schemaCommandOptions,
  async mistakesIn({ database }) {
    const { databaseFileMistakes } = await import('./gateway-mistakes.ts')
    return databaseFileMistakes(database, database.db_name)
  },
  async targetsOf({ database }) {
    const { databaseTarget } = await import('./gateway-targets.ts')
    return [databaseTarget(database)]
  },
}

/** The configuration of a command; throws `ConfigError` with all mistakes that can be found without connecting. */
export async function loadChecked<Groups extends OptionGroups>(
  { options, mistakesIn }: CheckedOptions<Groups>,
  sources: ConfigSources,
): Promise<LoadedConfig<Groups>> {
  const { mistakes, ...config } = readConfig(options, sources)
  const together = await mistakesIn(config.values)
  if (mistakes.length + together.length > 0) throw new ConfigError([...mistakes, ...together])
  return config
}
