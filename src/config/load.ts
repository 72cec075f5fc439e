/**
 * Finds the value of every option of a command: flag first, then environment variable, then configuration
 * file, then default. All mistakes are collected, so that a user can fix them in one go.
 */
import { ConfigError } from './config-error.ts'
import { badValue, cannotRead, missingValue, secretOnCommandLine } from './config-messages.ts'
import type { ReadText } from './option-types.ts'
import {
  type ConfigMistake,
  type ConfigsOf,
  type Given,
  type NamedOption,
  namedOptionsOf,
  type OptionGroup,
  type OptionGroups,
  type Place,
} from './options.ts'
import { type ConfigFile, type FileReading, readConfigFile } from './read-config-file.ts'
import { readFlags } from './read-flags.ts'
import { type Environment, readVariables } from './read-variables.ts'
import { withoutLineEnd } from './without-line-end.ts'

/** The options of a command. */
export interface CommandOptions<Groups extends OptionGroups = OptionGroups> {
  readonly groups: Groups
  /** Options of other commands, which may be in a shared environment or file. */
  readonly others: readonly OptionGroup[]
  /** The configuration file that is read if it exists and no other is named. */
  readonly defaultFile?: string
  /** A part of the configuration file whose keys may also be at its top. */
  readonly topPart?: string
}

/** What configuration is read from. */
export interface ConfigSources {
  /** The words after the command. */
  readonly flags: readonly string[]
  readonly environment: Environment
  /** The text of a file; throws as `readFileSync` does. */
  readonly readText: ReadText
}

/** An option with the value it got. */
export interface Setting {
  readonly option: NamedOption
  /** As written, with secrets hidden; undefined if the option has no value. */
  readonly shown: string | undefined
  /** `--port`, `GATEHOUSE_PORT`, `gatehouse.yaml line 3: gateway.port`, `default`. */
  readonly origin: string
  /** The kind of place that the origin is; undefined if the option has no value. */
  readonly source: Place | 'default' | undefined
}

/** A valid configuration. */
export interface LoadedConfig<Groups extends OptionGroups> {
  readonly values: ConfigsOf<Groups>
  readonly settings: readonly Setting[]
  /** Warnings about values that work but should be changed, one line each. */
  readonly warnings: readonly string[]
}

/** The option of every command that names the configuration file. */
const fileOption = 'config'

/** Replaces a secret wherever configuration is shown. */
export const hiddenSecret = '(hidden)'

const places: readonly Place[] = ['flag', 'variable', 'file']

/** A configuration that may have mistakes. */
export interface ReadConfig<Groups extends OptionGroups> extends LoadedConfig<Groups> {
  /** One line each. An option with a mistake has its default, or is absent. */
  readonly mistakes: readonly string[]
}

/** The configuration of a command; throws `ConfigError` with all mistakes. */
export function loadConfig<Groups extends OptionGroups>(
  command: CommandOptions<Groups>,
  sources: ConfigSources,
): LoadedConfig<Groups> {
  const { mistakes, ...config } = readConfig(command, sources)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return config
}

/** The configuration of a command with its mistakes, so that what it describes can be checked as well. */
export function readConfig<Groups extends OptionGroups>(
  command: CommandOptions<Groups>,
  sources: ConfigSources,
): ReadConfig<Groups> {
  const options = namedOptionsOf(command.groups)
  const others = command.others.flatMap((group) => namedOptionsOf({ group }))
  const flags = readFlags(sources.flags, options)
  const variables = readVariables(sources.environment, options, others)
  const file = findFile([...flags.given, ...variables.given], command.defaultFile, sources.readText)
  const fromFile =
    'line' in file ? brokenFile(file) : readConfigFile(file, { options, others, topPart: command.topPart })

  const given = [...flags.given, ...variables.given, ...fromFile.given]
  const misread = [...flags.mistakes, ...variables.mistakes, ...fromFile.mistakes]
  const found = options.map((option) => findValue(option, given, sources.readText))
  const mistakes = [...misread, ...found.flatMap((value) => value.mistakes ?? [])]
  if (!fromFile.unreadable) mistakes.push(...missingValues(found, misread))
  return {
    values: valuesOf(command.groups, found.map(orDefault)),
    settings: found.map((one) => ({
      option: one.option,
      shown: shownValue(one),
      origin: one.origin ?? '',
      source: sourceOf(one, given),
    })),
    warnings: secretsOnCommandLine(given, found),
    mistakes: mistakes.map(({ line }) => line),
  }
}

/** For a value with a mistake, what remains of it, or else the default. */
function orDefault(found: Found): Found {
  const { default: raw } = found.option.definition
  if (found.mistakes === undefined || found.value !== undefined || raw === undefined) return found
  return parseValue(found.option, raw, 'default', () => '')
}

/** A value of a secret option may hold no secret, such as the address of a file. */
function secretsOnCommandLine(given: readonly Given[], found: readonly Found[]): readonly string[] {
  return given
    .filter(({ spelling: { option, namesFile }, place }) => {
      const { secret, type } = option.definition
      if (place !== 'flag' || secret !== true || namesFile) return false
      const value = found.find((one) => one.option === option)?.value
      return value === undefined || (type.holdsSecret?.(value) ?? true)
    })
    .map(secretOnCommandLine)
}

/** What was found for one option: a valid value, nothing, or mistakes. */
interface Found {
  readonly option: NamedOption
  readonly raw?: string
  readonly value?: unknown
  readonly origin?: string
  readonly mistakes?: readonly ConfigMistake[]
}

function shownValue({ option: { definition }, raw, value }: Found): string | undefined {
  if (raw === undefined) return undefined
  if (definition.secret && (definition.type.holdsSecret?.(value) ?? true)) return hiddenSecret
  return definition.type.show?.(value) ?? raw
}

function sourceOf({ option, origin }: Found, given: readonly Given[]): Setting['source'] {
  if (origin === undefined || origin === 'default') return origin
  return given.find((one) => one.spelling.option === option && one.origin === origin)?.place
}

function findFile(
  given: readonly Given[],
  defaultFile: string | undefined,
  readText: ReadText,
): ConfigFile | ConfigMistake {
  const named = given.find(({ spelling }) => spelling.name === fileOption)
  const path = named?.raw ?? defaultFile
  if (path === undefined) return { path: '', content: '' }
  try {
    return { path, content: readText(path) }
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (named === undefined && isAbsent) return { path, content: '' }
    return { line: cannotRead(named?.origin ?? fileOption, path, error) }
  }
}

function brokenFile(mistake: ConfigMistake): FileReading {
  return { given: [], mistakes: [mistake], unreadable: true }
}

function findValue(option: NamedOption, allGiven: readonly Given[], readText: ReadText): Found {
  const given = allGiven.filter(({ spelling }) => spelling.option === option)
  const place = places.find((candidate) => given.some((one) => one.place === candidate))
  const [first, second] = given.filter((one) => one.place === place)
  if (first === undefined) {
    const { default: raw } = option.definition
    return raw === undefined ? { option } : parseValue(option, raw, 'default', readText)
  }
  if (second !== undefined) {
    return {
      option,
      mistakes: [{ line: `${first.origin} and ${second.origin}: give one of them, not both` }],
    }
  }
  if (!first.spelling.namesFile) return parseValue(option, first.raw, first.origin, readText)
  try {
    return parseValue(option, withoutLineEnd(readText(first.raw)), first.origin, readText)
  } catch (error) {
    return { option, mistakes: [{ line: cannotRead(first.origin, undefined, error) }] }
  }
}

function parseValue(option: NamedOption, raw: string, origin: string, readText: ReadText): Found {
  const { type } = option.definition
  const reading = type.readParts?.(raw, readText)
  if (reading !== undefined) {
    if ('value' in reading) return { option, raw, value: reading.value, origin }
    const mistakes = reading.mistakes.map((mistake) => ({ line: `${origin}${mistake}` }))
    return { option, mistakes, ...(reading.rest === undefined ? {} : { value: reading.rest }) }
  }
  const value = type.parse(raw)
  if (value === undefined) return { option, mistakes: [{ line: badValue(option, raw, origin) }] }
  return { option, raw, value, origin }
}

/** Required options without a value, except those that a misspelt option was meant to give. */
function missingValues(found: readonly Found[], misread: readonly ConfigMistake[]): readonly ConfigMistake[] {
  return found
    .filter(({ option, raw, mistakes }) => option.definition.required && raw === undefined && !mistakes)
    .filter(({ option }) => !misread.some(({ about }) => about === option.key))
    .map(({ option }) => ({ line: missingValue(option) }))
}

function valuesOf<Groups extends OptionGroups>(groups: Groups, found: readonly Found[]): ConfigsOf<Groups> {
  const inGroup = (group: string) =>
    found
      .filter(({ option, value }) => option.group === group && value !== undefined)
      .map(({ option, value }) => [option.key, value])
  return Object.fromEntries(
    Object.keys(groups).map((group) => [group, Object.fromEntries(inGroup(group))]),
  ) as ConfigsOf<Groups>
}
