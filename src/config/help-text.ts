import { wrapText } from '../util/wrap-text.ts'
import { byTopic, isUsual } from './help-topics.ts'
import {
  fileKeyOf,
  flagOf,
  type OptionDefinition,
  type OptionGroup,
  type OptionTable,
  spellingsIn,
  variableOf,
} from './options.ts'

/** How help is laid out. */
export interface HelpLayout {
  /** Columns of a line. */
  readonly width: number
  /** How a heading is painted. */
  readonly heading: (text: string) => string
}

/** A command with more options than this has a short list and a whole one, by topic. */
const longList = 24

/** Whether the short help leaves out options. */
export function isShortened(groups: readonly OptionGroup[]): boolean {
  return groups.reduce((sum, { options }) => sum + Object.keys(options).length, 0) > longList
}

/** The options that most people need, a line or two each; all of them, if they are few. */
export function shortHelp(groups: readonly OptionGroup[], layout: HelpLayout): string {
  const isKept = isShortened(groups) ? isUsual : () => true
  return groups
    .map(({ heading, options }) => {
      const entries = Object.entries(options).filter(
        ([key, definition]) => isKept(key) && takesFlag(key, definition),
      )
      return entries.length === 0
        ? ''
        : [layout.heading(heading), ...entries.flatMap((entry) => shortLines(entry, layout))].join('\n')
    })
    .filter((text) => text !== '')
    .join('\n\n')
}

const column = 28

function shortLines([key, definition]: [string, OptionDefinition], { width }: HelpLayout): readonly string[] {
  const { describe, default: value, secret } = definition
  const [sentence = ''] = /^.+?\.(?= |$)/.exec(describe) ?? [describe]
  const safer = secret ? ` Better: ${flagOf(`${key}_file`)} PATH.` : ''
  const remark = value === undefined || value === 'false' || value === '' ? '' : ` [${value}]`
  const usage = `  ${usageOf(key, definition)}`
  const lines = wrapText(sentence + safer + remark, width, column)
  const [first = ''] = lines
  return usage.length + 2 > column
    ? [usage, ...lines]
    : [usage.padEnd(column) + first.trimStart(), ...lines.slice(1)]
}

/** Everything about all options, group by group; long groups by topic. */
export function wholeHelp(groups: readonly OptionGroup[], layout: HelpLayout): string {
  return [...groups.flatMap((group) => groupTexts(group, layout)), ...footer(layout)].join('\n\n')
}

function footer({ width }: HelpLayout): readonly string[] {
  const text =
    'A flag may be written with - for _, and as --key=value. For an option that takes true or false, --key alone means --key=true. A flag comes before an environment variable, then the configuration file, then the default.'
  return [wrapText(text, width).join('\n')]
}

function groupTexts(group: OptionGroup, layout: HelpLayout): readonly string[] {
  const { heading, part, options } = group
  const where = part === undefined ? '' : ` (in a configuration file under “${part}:”)`
  const text = (title: string, table: OptionTable) =>
    [
      layout.heading(title),
      ...Object.entries(table).map(([key, definition]) => optionText(key, definition, layout)),
    ].join('\n')
  return isShortened([group])
    ? byTopic(options).map((topic) => text(`${heading}: ${topic.heading}${where}`, topic.options))
    : Object.keys(options).length === 0
      ? []
      : [text(`${heading}${where}`, options)]
}

function optionText(key: string, definition: OptionDefinition, { width }: HelpLayout): string {
  const usage = takesFlag(key, definition) ? usageOf(key, definition) : `${key} (file only)`
  return [
    `  ${usage}`,
    ...wrapText(definition.describe, width, 6),
    ...wrapText(remarksOn(key, definition), width, 6),
  ].join('\n')
}

function usageOf(key: string, { type, short }: OptionDefinition): string {
  const value = type.withoutValue === undefined ? ` ${type.placeholder}` : ''
  return `${short === undefined ? '' : `-${short}${value}, `}${flagOf(key)}${value}`
}

function remarksOn(key: string, definition: OptionDefinition): string {
  const takesVariable = (definition.places ?? ['variable']).includes('variable')
  return [
    ...(takesVariable ? [variableOf(key)] : []),
    ...(definition.inFile === undefined ? [] : [`in a file ${fileKeyOf({ key, definition })}`]),
    ...(definition.secret ? [`${flagOf(`${key}_file`)} PATH`] : []),
    defaultText(definition),
  ].join('; ')
}

/** What an option without a value means: its default, that it is required, or what happens then. */
function defaultText(definition: OptionDefinition): string {
  if (definition.default !== undefined) return `default ${definition.default}`
  return definition.required ? 'required' : `if not given: ${definition.otherwise ?? 'not used'}`
}

function takesFlag(key: string, definition: OptionDefinition): boolean {
  return spellingsIn('flag', [{ group: '', part: undefined, key, definition }]).length > 0
}
