import {
  fileKeyOf,
  flagOf,
  type OptionDefinition,
  type OptionGroup,
  spellingsIn,
  variableOf,
} from './options.ts'

/** What `--help` of a command says about its options, group by group. */
export function helpText(groups: readonly OptionGroup[]): string {
  return [...groups.map(groupText), footer].join('\n\n')
}

const footer = `A flag may be written with - for _, and as --key=value. For an option that takes true or false, --key alone means
--key=true. A flag comes before an environment variable, then the configuration file, then the default.`

function groupText({ heading, part, options }: OptionGroup): string {
  const where = part === undefined ? '' : ` (in a configuration file under “${part}:”)`
  const entries = Object.entries(options).map(([key, definition]) => optionText(key, definition))
  return [`${heading}${where}`, ...entries].join('\n')
}

function optionText(key: string, definition: OptionDefinition): string {
  const { type, describe, short } = definition
  const shortUsage = short === undefined ? '' : `-${short} ${type.placeholder}, `
  const usage = takesFlag(key, definition)
    ? `${shortUsage}${flagOf(key)} ${type.placeholder}`
    : `${key} (file only)`
  return [`  ${usage}`, `      ${describe}`, `      ${remarksOn(key, definition)}`].join('\n')
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
