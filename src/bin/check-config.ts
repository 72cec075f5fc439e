import { checkOptionsGroup } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { settingKey } from '../config/describe-settings.ts'
import type { CommandOptions, LoadedConfig, Setting } from '../config/load.ts'
import type { OptionGroups } from '../config/options.ts'
import { outputGroup } from '../config/output-options.ts'
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
import { writeOutput, writeWarnings } from './command-output.ts'
import { type TargetOutcome, targetLines, tryTargets } from './connect-target.ts'
import { exitCodes } from './exit-codes.ts'
import { withUsedPorts } from './used-ports.ts'

/** The check of the configuration of one command. */
interface Check {
  readonly options: CommandOptions
  /** Checks and prints it; returns the exit code. */
  run(invocation: Invocation): Promise<number>
}

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
  options: checkNamed('up').options,
  subcommands: Object.fromEntries(
    Object.entries(checks).map(([name, { options }]) => [
      name,
      { words: [], about: `checks the configuration of “${name}”`, options },
    ]),
  ),
  async run(invocation) {
    const [first = ''] = invocation.words
    const isNamed = first !== '' && !first.startsWith('-')
    const words = isNamed ? invocation.words.slice(1) : invocation.words
    return checkNamed(isNamed ? first : 'up').run({ ...invocation, words })
  },
}

function checkOf<Groups extends OptionGroups>(checked: CheckedOptions<Groups>): Check {
  const own = { check: checkOptionsGroup, output: outputGroup }
  const options = { ...checked.options, groups: { ...checked.options.groups, ...own } }
  const extended = { ...checked, options } as CheckedOptions<Groups & typeof own>
  return {
    options,
    async run(invocation) {
      const config = await loadChecked(extended, sourcesOf(invocation))
      writeWarnings(invocation, config.warnings)
      const settings = withUsedPorts(config.settings)
      const outcomes = isConnecting(config)
        ? await tryTargets(await checked.targetsOf(config.values as never))
        : undefined
      const shown = settings.filter(({ option }) => !Object.hasOwn(own, option.group)).map(shownSetting)
      const text = printConfig(checked.options.groups, settings)
      return writeOutput(invocation, {
        json: { settings: shown, ...(outcomes && { targets: outcomes }) },
        text: outcomes === undefined ? text : `${text}\n\n${linesOf(outcomes)}`,
        exitCode: outcomes?.some(({ isUsable }) => !isUsable) ? exitCodes.failed : exitCodes.fine,
      })
    },
  }
}

function shownSetting(setting: Setting) {
  const { shown, origin } = setting
  return { key: settingKey(setting), value: shown ?? null, origin: shown === undefined ? null : origin }
}

function isConnecting({ settings }: LoadedConfig<OptionGroups>): boolean {
  return settings.some(({ option, shown }) => option.group === 'check' && shown === 'true')
}

function linesOf(outcomes: readonly TargetOutcome[]): string {
  return outcomes.length === 0 ? 'There is nothing to connect to.' : targetLines(outcomes)
}

function checkNamed(command: string): Check {
  const check = Object.hasOwn(checks, command) ? checks[command] : undefined
  if (check !== undefined) return check
  const names = Object.keys(checks)
  const meant = suggestion(nearestName(command, names))
  throw new ConfigError([`check-config: takes ${names.join(', ')}, not ${quote(command)}${meant}`])
}
