/** What all commands that call a running gateway have in common. */
import { AdminFailure } from '../admin/admin-failure.ts'
import { type ManagementClient, withManagement } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import type { ClientConfig } from '../config/client-options.ts'
import { clientCommandOptions } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../config/load.ts'
import { type ConfigOf, namedOptionsOf, type OptionTable } from '../config/options.ts'
import { quote } from '../config/quote.ts'
import { separateWords } from '../config/read-flags.ts'
import { suggestion } from '../config/suggestion.ts'
import { nearestName } from '../util/nearest-name.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** The output of a command. */
export interface CommandOutput {
  /** For programs. */
  readonly json: unknown
  /** For people. */
  readonly text: string
  /** What went wrong, line by line, although there is output. */
  readonly problems?: readonly string[]
  readonly exitCode?: number
}

/** The input of one verb of a command. */
interface VerbRequest<Table extends OptionTable> {
  /** As many words as the verb takes. */
  readonly words: readonly string[]
  readonly values: ConfigOf<Table>
  readonly client: ManagementClient
  readonly invocation: Invocation
  /** Prints something for people before the output; programs get only the output. */
  readonly tell: (text: string) => void
}

/** One thing that a command does: `show` of `role show NAME`. */
export interface VerbDefinition<Table extends OptionTable> {
  /** The words it takes, as named in its usage: `NAME`. */
  readonly words: readonly string[]
  /** What it does, after its usage. */
  readonly about: string
  readonly options: Table
  run(request: VerbRequest<Table>): Promise<CommandOutput>
}

/** A verb that reads its own options. */
export interface Verb extends Pick<VerbDefinition<OptionTable>, 'words' | 'about' | 'options'> {
  /** `name`: the command and the verb, for messages. */
  runWith(name: string, invocation: Invocation): Promise<number>
}

/** A verb, ready to be run. */
export function verb<const Table extends OptionTable>(definition: VerbDefinition<Table>): Verb {
  const { words: taken, about, options } = definition
  return {
    words: taken,
    about,
    options,
    async runWith(name, invocation) {
      const command = clientCommandOptions(`“${name}”`, options)
      const { plain, flags } = separateWords(invocation.words, namedOptionsOf(command.groups))
      if (plain.length !== taken.length) throw wrongWords(name, taken, plain.length)
      const { values, warnings } = loadConfig(command, { ...sourcesOf(invocation), flags })
      for (const warning of warnings) invocation.warn(warning)
      const own = values.own as ConfigOf<Table>
      const tell = values.client.output === 'table' ? invocation.print : () => {}
      return ask(values.client, invocation, (client) =>
        definition.run({ words: plain, values: own, client, invocation, tell }),
      )
    },
  }
}

/** A command with verbs. `usual` is the default verb. */
export function verbCommand(
  name: string,
  { about, verbs, usual }: { about: string; verbs: Readonly<Record<string, Verb>>; usual?: string },
): Command {
  const lines = Object.entries(verbs).map(([key, { words, about: does }]) => ({
    usage: [name, key, ...words].join(' '),
    does,
  }))
  const width = Math.max(...lines.map(({ usage }) => usage.length))
  const table = lines.map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`).join('\n')
  const options = Object.assign({}, ...Object.values(verbs).map((one) => one.options)) as OptionTable
  return {
    usage: `${name} ${Object.keys(verbs).join('|')} [options]`,
    about: `${about}\n\n${table}`,
    options: clientCommandOptions('What single verbs take', options),
    async run(invocation) {
      const [first = usual ?? '', ...rest] = invocation.words
      const isNamed = Object.hasOwn(verbs, first)
      const chosen = isNamed ? first : first.startsWith('-') ? usual : undefined
      const found = chosen === undefined ? undefined : verbs[chosen]
      if (found === undefined) throw unknownVerb(name, first, Object.keys(verbs))
      return found.runWith(`${name} ${chosen}`, isNamed ? { ...invocation, words: rest } : invocation)
    },
  }
}

/** A command that does one thing. */
export function singleCommand(name: string, one: Verb): Command {
  return {
    usage: [name, ...one.words, '[options]'].join(' '),
    about: one.about,
    options: clientCommandOptions(`“${name}”`, one.options),
    run: (invocation) => one.runWith(name, invocation),
  }
}

async function ask(
  { url, username, password, api_key: apiKey, output }: ClientConfig,
  { print, warn }: Invocation,
  work: (client: ManagementClient) => Promise<CommandOutput>,
): Promise<number> {
  try {
    const answer = await withManagement({ url, username, password, apiKey }, work)
    const { json, text, problems = [], exitCode = exitCodes.fine } = answer
    print(output === 'json' ? JSON.stringify(json, undefined, 2) : text)
    for (const line of problems) warn(printable(line))
    return exitCode
  } catch (error) {
    if (!(error instanceof AdminFailure)) throw error
    for (const line of error.lines) warn(printable(line))
    return exitCodes.failed
  }
}

/** The error for more or fewer words than a verb takes. */
export function wrongWords(name: string, taken: readonly string[], given: number): ConfigError {
  const wants = taken.length === 0 ? 'takes only options' : `takes ${taken.join(' ')}`
  const came = given === 1 ? '1 word was given' : `${given} words were given`
  return new ConfigError([`${name}: ${wants}, and ${came}`])
}

function unknownVerb(name: string, given: string, verbs: readonly string[]): ConfigError {
  const list = `${verbs.slice(0, -1).join(', ')} or ${verbs.at(-1)}`
  const found = given === '' ? '' : `, not ${quote(given)}${suggestion(nearestName(given, verbs))}`
  return new ConfigError([`${name}: takes ${list}${found}`])
}
