/**
 * What an option is. One table of definitions is the source of the flags, environment variables, keys of
 * the configuration file, help texts, reference page and TypeScript type of a command's options.
 */
import type { OptionType } from './option-types.ts'

/** Where a value may be given. The first place that has one wins. */
export type Place = 'flag' | 'variable' | 'file'

/** One option. Without a type, a description and an example there is none. */
export interface OptionDefinition<Value = unknown> {
  readonly type: OptionType<Value>
  /** What it is for, as a sentence. */
  readonly describe: string
  /** An example of a value. */
  readonly example: string
  /** The value when none is given, written as a user would write it. */
  readonly default?: string
  /** What happens when there is neither a value nor a default. */
  readonly otherwise?: string
  readonly required?: boolean
  /** Never shown; `<key>_file` names a file to read it from. */
  readonly secret?: boolean
  /** Its key in a configuration file, where that is another: `content.root` is `root` under `content`. */
  readonly inFile?: string
  /** Another key in a configuration file that means the same. */
  readonly alsoInFile?: string
  /** A letter that stands for it as a flag: `f` for `-f`. */
  readonly short?: string
  /** Where it may be given, when not everywhere. */
  readonly places?: readonly Place[]
}

/** Options by key: small letters, words joined by `_`. */
export type OptionTable = Readonly<Record<string, OptionDefinition>>

/** Options that belong together. */
export interface OptionGroup<Table extends OptionTable = OptionTable> {
  readonly heading: string
  /** Key of the configuration file under which they lie; without one they lie at the top of the file. */
  readonly part?: string
  readonly options: Table
}

/** The groups of options of a command. */
export type OptionGroups = Readonly<Record<string, OptionGroup>>

type ValueOf<Definition> = Definition extends { readonly type: OptionType<infer Value> } ? Value : never

type AlwaysThere<Table> = {
  [Key in keyof Table]: Table[Key] extends { readonly required: true } | { readonly default: string }
    ? Key
    : never
}[keyof Table]

/** The values of a table's options: optional where there is neither a default nor a duty to give one. */
export type ConfigOf<Table extends OptionTable> = {
  readonly [Key in AlwaysThere<Table>]: ValueOf<Table[Key]>
} & {
  readonly [Key in Exclude<keyof Table, AlwaysThere<Table>>]?: ValueOf<Table[Key]>
}

/** The values of several groups of options. */
export type ConfigsOf<Groups extends OptionGroups> = {
  readonly [Name in keyof Groups]: ConfigOf<Groups[Name]['options']>
}

/** An option of a command with its name. */
export interface NamedOption {
  /** Name of the group it belongs to. */
  readonly group: string
  /** Key of the configuration file it lies under. */
  readonly part: string | undefined
  readonly key: string
  readonly definition: OptionDefinition
}

/** All options of some groups, in their order. */
export function namedOptionsOf(groups: OptionGroups): readonly NamedOption[] {
  return Object.entries(groups).flatMap(([group, { part, options }]) =>
    Object.entries(options).map(([key, definition]) => ({ group, part, key, definition })),
  )
}

/** One way to write an option: by its key, or for a secret by the key of the file that holds it. */
export interface Spelling {
  readonly name: string
  readonly option: NamedOption
  /** The value is the path of a file that holds the value. */
  readonly namesFile: boolean
}

/** All ways to write some options in one place. */
export function spellingsIn(place: Place, options: readonly NamedOption[]): readonly Spelling[] {
  return options
    .filter(({ definition }) => (definition.places ?? [place]).includes(place))
    .flatMap((option) => {
      const names = place === 'file' ? fileKeysOf(option) : [option.key]
      return names.flatMap((name) => [
        { name, option, namesFile: false },
        ...(option.definition.secret ? [{ name: `${name}_file`, option, namesFile: true }] : []),
      ])
    })
}

function fileKeysOf({ key, definition }: NamedOption): readonly string[] {
  const { alsoInFile } = definition
  return [fileKeyOf({ key, definition }), ...(alsoInFile === undefined ? [] : [alsoInFile])]
}

/** The key of an option in a configuration file: `content.root` lies under `content`. */
export function fileKeyOf({ key, definition }: Pick<NamedOption, 'key' | 'definition'>): string {
  return definition.inFile ?? key
}

/** The flag that gives an option: `--db_name`. */
export function flagOf(name: string): string {
  return `--${name}`
}

/** The environment variable that gives an option: `GATEHOUSE_DB_NAME`. */
export function variableOf(name: string): string {
  return `GATEHOUSE_${name.toUpperCase()}`
}

/** A value as it was given. */
export interface Given {
  readonly spelling: Spelling
  readonly raw: string
  readonly place: Place
  /** What the user wrote it as: `--port`, `GATEHOUSE_PORT`, `gatehouse.yaml line 3: gateway.port`. */
  readonly origin: string
}

/** One thing that is wrong with a configuration. */
export interface ConfigMistake {
  /** The sentence for the user. It holds no secret. */
  readonly line: string
  /** Key of the option it is about or was probably meant for. */
  readonly about?: string | undefined
}

/** What one place gives, and what is wrong there. */
export interface Reading {
  readonly given: readonly Given[]
  readonly mistakes: readonly ConfigMistake[]
}
