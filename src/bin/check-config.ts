import {
  frontCommandOptions,
  gatewayCommandOptions,
  schemaCommandOptions,
  upCommandOptions,
} from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { type CommandOptions, loadConfig, type Setting } from '../config/load.ts'
import { type ConfigsOf, fileKeyOf } from '../config/options.ts'
import { outputGroup } from '../config/output-options.ts'
import { printConfig } from '../config/print-config.ts'
import { quote } from '../config/quote.ts'
import { suggestion } from '../config/suggestion.ts'
import { nearestName } from '../util/nearest-name.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { writeOutput, writeWarnings } from './command-output.ts'
import { checkFrontBeside } from './front-beside.ts'
import { frontSettings } from './front-settings.ts'

const checkable: Readonly<Record<string, CommandOptions>> = {
  up: upCommandOptions,
  gateway: gatewayCommandOptions,
  front: frontCommandOptions,
  schema: schemaCommandOptions,
}

/** `gatehouse check-config`: the configuration that another command would run with. */
export const checkConfig: Command = {
  usage: 'check-config [up|gateway|front|schema] [options of that command]',
  about: `Checks the configuration that a command would run with (“up” unless another is named) and prints every
value with its origin. Secrets are hidden. Nothing is started.`,
  options: { ...upCommandOptions, groups: { ...upCommandOptions.groups, output: outputGroup } },
  subcommands: Object.fromEntries(
    Object.entries(checkable).map(([name, options]) => [
      name,
      {
        words: [],
        about: `checks the configuration of “${name}”`,
        options: { ...options, groups: { ...options.groups, output: outputGroup } },
      },
    ]),
  ),
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const [first = ''] = invocation.words
  const isNamed = first !== '' && !first.startsWith('-')
  const options = optionsOf(isNamed ? first : 'up')
  const words = isNamed ? invocation.words.slice(1) : invocation.words
  const checked = { ...options, groups: { ...options.groups, output: outputGroup } }
  const { values, settings, warnings } = loadConfig(checked, sourcesOf({ ...invocation, words }))
  if (options === frontCommandOptions) checkFront(values)
  if (options === upCommandOptions)
    checkFrontBeside(values as object as ConfigsOf<typeof upCommandOptions.groups>)
  writeWarnings(invocation, warnings)
  const json = { settings: settings.filter(({ option }) => option.group !== 'output').map(shownSetting) }
  return writeOutput(invocation, { json, text: printConfig(options.groups, settings) })
}

function shownSetting({ option, shown, origin }: Setting) {
  const key = [...(option.part === undefined ? [] : [option.part]), fileKeyOf(option)].join('.')
  return { key, value: shown ?? null, origin: shown === undefined ? null : origin }
}

/** Throws `ConfigError` for options that cannot be combined. */
function checkFront(values: object): void {
  frontSettings((values as ConfigsOf<typeof frontCommandOptions.groups>).front, () => {})
}

function optionsOf(command: string): CommandOptions {
  const options = Object.hasOwn(checkable, command) ? checkable[command] : undefined
  if (options !== undefined) return options
  const names = Object.keys(checkable)
  const meant = suggestion(nearestName(command, names))
  throw new ConfigError([`check-config: takes ${names.join(', ')}, not ${quote(command)}${meant}`])
}
