/** What all commands that call a running gateway have in common. */
import { type ManagementClient, withManagement } from '../admin/management-client.ts'
import type { ClientConfig } from '../config/client-options.ts'
import { clientCommandOptions } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../config/load.ts'
import { type ConfigOf, namedOptionsOf, type OptionTable } from '../config/options.ts'
import { confirmOptions } from '../config/output-options.ts'
import { quote } from '../config/quote.ts'
import { separateWords } from '../config/read-flags.ts'
import { suggestion } from '../config/suggestion.ts'
import { nearestName } from '../util/nearest-name.ts'
import { type Command, type Invocation, type Subcommand, sourcesOf } from './command.ts'
import { writeFailure } from './command-failure.ts'
import { type CommandOutput, writeOutput, writeWarnings } from './command-output.ts'
import { confirm } from './confirm.ts'
import { withProgress } from './with-progress.ts'

/** The input of one verb of a command. */
interface VerbRequest<Table extends OptionTable> {
  /** As many words as the verb takes. */
  readonly words: readonly string[]
  readonly values: ConfigOf<Table>
  readonly client: ManagementClient
  readonly invocation: Invocation
  /** Prints something for people before the output; programs get only the output. */
  readonly tell: (text: string) => void
  /** Says what is being done, for a line of progress. */
  readonly progress: (text: string) => void
}

/** One thing that a command does: `show` of `role show NAME`. */
export interface VerbDefinition<Table extends OptionTable> {
  /** The words it takes, as named in its usage: `NAME`. */
  readonly words: readonly string[]
  /** What it does, after its usage. */
  readonly about: string
  readonly options: Table
  /**
   * The question for a person before something is lost; undefined if nothing is. With it the verb takes `--yes`.
   */
  asks?(request: VerbRequest<Table>): Promise<string | undefined>
  run(request: VerbRequest<Table>): Promise<CommandOutput>
}

/** A verb that reads its own options. */
export interface Verb extends Subcommand {
  /** `name`: the command and the verb, for messages. */
  runWith(name: string, invocation: Invocation): Promise<number>
}

/** A verb, ready to be run. */
export function verb<const Table extends OptionTable>(definition: VerbDefinition<Table>): Verb {
  const { words: taken, about } = definition
  const own = { ...definition.options, ...(definition.asks && confirmOptions) }
  return {
    words: taken,
    about,
    options: clientCommandOptions('Options', own),
    async runWith(name, invocation) {
      const command = clientCommandOptions(`“${name}”`, own)
      const { plain, flags } = separateWords(invocation.words, namedOptionsOf(command.groups))
      if (plain.length !== taken.length) throw wrongWords(name, taken, plain.length)
      const { values, warnings } = loadConfig(command, { ...sourcesOf(invocation), flags })
      const printing = { ...invocation, json: invocation.json || values.client.output === 'json' }
      writeWarnings(printing, warnings)
      return ask(values.client, printing, async ({ client, progress }) => {
        const tell = printing.json ? () => {} : invocation.print
        const given = values.own as ConfigOf<Table>
        const { yes } = values.own as { readonly yes?: boolean }
        const request = { words: plain, values: given, client, invocation: printing, tell, progress }
        if (definition.asks !== undefined)
          await confirm(printing, yes === true, async () => definition.asks?.(request))
        return definition.run(request)
      })
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
  const own = Object.values(verbs).map(({ options }) => options.groups.own?.options)
  return {
    usage: `${name} ${Object.keys(verbs).join('|')} [options]`,
    about: `${about}\n\n${table}`,
    options: clientCommandOptions('What single verbs take', Object.assign({}, ...own) as OptionTable),
    subcommands: verbs,
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
    options: one.options,
    run: (invocation) => one.runWith(name, invocation),
  }
}

/** Works as a client of the gateway; a terminal shows how long a response takes. */
async function ask(
  { url, username, password, api_key: apiKey }: ClientConfig,
  invocation: Invocation,
  work: (tools: {
    readonly client: ManagementClient
    readonly progress: (text: string) => void
  }) => Promise<CommandOutput>,
): Promise<number> {
  let what = `Waiting for ${url}`
  const progress = (text: string) => {
    what = text
    invocation.terminal?.showProgress?.(text)
  }
  try {
    const settings = { url, username, password, apiKey }
    const output = await withManagement(settings, (management) => {
      const client: ManagementClient = {
        call: (...request) => withProgress(invocation, what, () => management.call(...request)),
      }
      return work({ client, progress })
    })
    return writeOutput(invocation, output)
  } catch (error) {
    return writeFailure(invocation, error)
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
