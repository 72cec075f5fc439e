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

// Loaded when they are needed: no start waits for what another service checks, or for what connects.
const loadMistakes = () => import('./gateway-mistakes.ts')
const loadTargets = () => import('./gateway-targets.ts')
const loadFrontBeside = () => import('./front-beside.ts')

/** `gatehouse gateway` */
export const checkedGateway: CheckedOptions<typeof gatewayCommandOptions.groups> = {
  options: gatewayCommandOptions,
  mistakesIn: async ({ gateway }) => (await loadMistakes()).gatewayMistakes(gateway),
  targetsOf: async ({ gateway }) => (await loadTargets()).gatewayTargets(gateway),
}

/** `gatehouse front` */
export const checkedFront: CheckedOptions<typeof frontCommandOptions.groups> = {
  options: frontCommandOptions,
  mistakesIn: async ({ front }) => (await import('./front-settings.ts')).frontMistakes(front),
  targetsOf: async ({ front }) => (await import('./front-targets.ts')).frontTargets(front),
}

/** `gatehouse schema` */
export const checkedSchema: CheckedOptions<typeof schemaCommandOptions.groups> = {
  options: schemaCommandOptions,
  mistakesIn: async ({ database }) => (await loadMistakes()).databaseFileMistakes(database, database.db_name),
  targetsOf: async ({ database }) => [(await loadTargets()).databaseTarget(database)],
}

/** `gatehouse up`: a gateway, and usually a web front beside it. */
export const checkedUp: CheckedOptions<typeof upCommandOptions.groups> = {
  options: upCommandOptions,
  async mistakesIn(values) {
    const inGateway = (await loadMistakes()).gatewayMistakes(
      gatewayConfigOf(values),
      values.gateway.db_name ?? ':memory:',
    )
    return values.up.web_front
      ? [...inGateway, ...(await (await loadFrontBeside()).mistakesOfFrontBeside(values))]
      : inGateway
  },
  async targetsOf(values) {
    const config = gatewayConfigOf(values)
    const { gatewayTargets, roleTargets } = await loadTargets()
    if (!values.up.web_front) return gatewayTargets(config)
    const { isGatewayBeside, targetsOfFrontBeside } = await loadFrontBeside()
    const { rolesNamedBy } = await import('./front-roles.ts')
    return [
      ...gatewayTargets(config),
      ...targetsOfFrontBeside(values),
      ...(isGatewayBeside(values) ? roleTargets(config, rolesNamedBy(values.front)) : []),
    ]
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
