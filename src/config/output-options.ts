import { oneOf, yesOrNo } from './option-types.ts'
import { namedOptionsOf, type OptionGroup, type OptionTable } from './options.ts'
import { readFlags } from './read-flags.ts'
import type { Environment } from './read-variables.ts'

/** How text looks that is printed: an option of every command. */
export const colorOptions = {
  color: {
    type: oneOf('auto', 'always', 'never'),
    default: 'auto',
    places: ['flag'],
    describe:
      'Whether text is printed in colours. “auto” is at a terminal, and follows NO_COLOR and FORCE_COLOR in the environment.',
    example: 'never',
  },
} as const satisfies OptionTable

const outputOptions = {
  json: {
    type: yesOrNo,
    default: 'false',
    places: ['flag'],
    describe:
      'Whether the result is one JSON document on standard output. Errors are then problem documents and warnings {"warning": …} on standard error, one line each.',
    example: 'true',
  },
} as const satisfies OptionTable

/** The options of every command that prints a result. */
export const outputGroup = {
  heading: 'Output',
  options: outputOptions,
} as const satisfies OptionGroup

/** The option of every command that deletes. */
export const confirmOptions = {
  yes: {
    type: yesOrNo,
    default: 'false',
    places: ['flag'],
    describe: 'Whether to go ahead without asking. Only a person at a terminal is asked; a script never is.',
    example: 'true',
  },
} as const satisfies OptionTable

/** How a command prints. */
export interface OutputForm {
  /** For programs instead of people. */
  readonly json: boolean
  readonly color: 'auto' | 'always' | 'never'
}

/**
 * How a command is asked to print. It is known before the rest of the command line is read, so that mistakes there are
 * printed in this form too. `--output json` and its variable mean `--json`.
 */
export function outputFormOf(words: readonly string[], environment: Environment): OutputForm {
  const end = words.indexOf('--')
  const options = namedOptionsOf({
    output: outputGroup,
    every: { heading: '', options: colorOptions },
    client: { heading: '', options: { output: { ...outputOptions.json, type: oneOf('table', 'json') } } },
  })
  const { given } = readFlags(end === -1 ? words : words.slice(0, end), options)
  const rawOf = (name: string) => given.find(({ spelling }) => spelling.name === name)?.raw
  const output = rawOf('output') ?? environment.GATEHOUSE_OUTPUT
  return {
    json: rawOf('json') === 'true' || output === 'json',
    color: colorOptions.color.type.parse(rawOf('color') ?? '') ?? 'auto',
  }
}
