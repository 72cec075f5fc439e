import { checkOptionsGroup } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { OptionGroups } from '../config/options.ts'
import { printConfig } from '../config/print-config.ts'
import { quote } from '../config/quote.ts'
import { suggestion } from '../config/suggestion.ts'
import { nearestName } from '../util/nearest-name.ts'
import {
  type CheckedOptions,
  checkedFront,
  checkedGateway,
  checkedSchema,
  checkedUp,
  loadChecked,
} from './checked-config.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { targetLines, tryTargets } from './connect-target.ts'
import { exitCodes } from './exit-codes.ts'
import { withUsedPorts } from './used-ports.ts'

/** Checks and prints the configuration of one command; returns the exit code. */
type Check = (invocation: Invocation) => Promise<number>

const checks: Readonly<Record<string, Check>> = {
  up: checkOf(checkedUp),
  gateway: checkOf(checkedGateway),
  front: checkOf(checkedFront),
  schema: checkOf(checkedSchema),
}

/** `gatehouse check-config`: the configuration that another command would run with. */
export const checkConfig: Command = {
  usage: 'check-config [up|gateway|front|schema] [--connect] [options of that command]',
  about: `Checks the configuration that a command would run with (“up” unless another is named) and prints every
value with its origin. Secrets are hidden. It finds what a start would refuse; nothing is started or changed. With
--connect it also tries the databases, Redis, the login providers and the gateway, with a line for each.`,
  options: {
    ...checkedUp.options,
    groups: { check: checkOptionsGroup, ...checkedUp.options.groups },
  },
  async run(invocation) {
    const [first = ''] = invocation.words
    const isNamed = first !== '' && !first.startsWith('-')
    const words = isNamed ? invocation.words.slice(1) : invocation.words
    return checkNamed(isNamed ? first : 'up')({ ...invocation, words })
  },
}

function checkOf<Groups extends OptionGroups>(checked: CheckedOptions<Groups>): Check {
  const groups = { ...checked.options.groups, check: checkOptionsGroup }
  const extended = { ...checked, options: { ...checked.options, groups } } as CheckedOptions<
    Groups & { readonly check: typeof checkOptionsGroup }
  >
  return async (invocation) => {
    const config = await loadChecked(extended, sourcesOf(invocation))
    for (const warning of config.warnings) invocation.warn(warning)
    invocation.print(printConfig(checked.options.groups, withUsedPorts(config.settings)))
    return isConnecting(config) ? connect(checked, config.values as never, invocation) : exitCodes.fine
  }
}

function isConnecting({ settings }: LoadedConfig<OptionGroups>): boolean {
  return settings.some(({ option, shown }) => option.group === 'check' && shown === 'true')
}

async function connect<Groups extends OptionGroups>(
  { targetsOf }: CheckedOptions<Groups>,
  values: Parameters<CheckedOptions<Groups>['targetsOf']>[0],
  { print }: Invocation,
): Promise<number> {
  const outcomes = await tryTargets(await targetsOf(values))
  print(`\n${outcomes.length === 0 ? 'There is nothing to connect to.' : targetLines(outcomes)}`)
  return outcomes.every(({ isUsable }) => isUsable) ? exitCodes.fine : exitCodes.failed
}

function checkNamed(command: string): Check {
  const check = Object.hasOwn(checks, command) ? checks[command] : undefined
  if (check !== undefined) return check
  const names = Object.keys(checks)
  const meant = suggestion(nearestName(command, names))
  throw new ConfigError([`check-config: takes ${names.join(', ')}, not ${quote(command)}${meant}`])
}
